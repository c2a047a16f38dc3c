/**
 * What is counted and timed, as Micrometer meters.
 */
@NullMarked
package io.github.bloomguard.metrics;

import org.jspecify.annotations.NullMarked;
