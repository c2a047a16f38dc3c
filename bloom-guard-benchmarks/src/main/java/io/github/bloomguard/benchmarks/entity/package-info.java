/**
 * Applications that insert entities, with and without a filter of them.
 */
@NullMarked
package io.github.bloomguard.benchmarks.entity;

import org.jspecify.annotations.NullMarked;
