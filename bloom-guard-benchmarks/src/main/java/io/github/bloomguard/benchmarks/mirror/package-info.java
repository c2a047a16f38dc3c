/**
 * Instances with mirrors, and what adding keys and joining takes.
 */
@org.jspecify.annotations.NullMarked
package io.github.bloomguard.benchmarks.mirror;
