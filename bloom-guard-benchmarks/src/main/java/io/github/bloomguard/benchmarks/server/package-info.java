/**
 * The servers that measurements run against, and what to ask them.
 */
@NullMarked
package io.github.bloomguard.benchmarks.server;

import org.jspecify.annotations.NullMarked;
