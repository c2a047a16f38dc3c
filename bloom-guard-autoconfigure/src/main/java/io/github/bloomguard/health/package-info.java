/**
 * What the health endpoint is told.
 */
@NullMarked
package io.github.bloomguard.health;

import org.jspecify.annotations.NullMarked;
