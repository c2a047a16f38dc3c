/**
 * The wiring. Nothing imports it.
 */
@NullMarked
package io.github.bloomguard.autoconfigure;

import org.jspecify.annotations.NullMarked;
