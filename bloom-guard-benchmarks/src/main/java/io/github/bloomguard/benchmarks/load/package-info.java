/**
 * What callers do, and what is written down while they do it.
 */
@NullMarked
package io.github.bloomguard.benchmarks.load;

import org.jspecify.annotations.NullMarked;
