/**
 * Filters of each type, side by side.
 */
@NullMarked
package io.github.bloomguard.benchmarks.type;

import org.jspecify.annotations.NullMarked;
