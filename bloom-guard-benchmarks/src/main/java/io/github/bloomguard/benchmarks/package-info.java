/**
 * What the guard costs, and the measurements behind the documentation.
 */
@NullMarked
package io.github.bloomguard.benchmarks;

import org.jspecify.annotations.NullMarked;
