/**
 * Loads all keys of a filter into a new generation.
 */
@NullMarked
package io.github.bloomguard.warmup;

import org.jspecify.annotations.NullMarked;
