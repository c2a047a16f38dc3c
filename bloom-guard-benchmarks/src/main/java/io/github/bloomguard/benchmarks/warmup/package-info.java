/**
 * What is compared when a filter is loaded from a database.
 */
@NullMarked
package io.github.bloomguard.benchmarks.warmup;

import org.jspecify.annotations.NullMarked;
