/**
 * What the table of the load runner shows.
 */
@NullMarked
package io.github.bloomguard.benchmarks.column;

import org.jspecify.annotations.NullMarked;
