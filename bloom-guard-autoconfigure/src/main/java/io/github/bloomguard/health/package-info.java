/**
 * How the filters are, for the health endpoint.
 */
@NullMarked
package io.github.bloomguard.health;

import org.jspecify.annotations.NullMarked;
