/**
 * What is compared: ways to read a product, each with a Redis of its own.
 */
@NullMarked
package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
