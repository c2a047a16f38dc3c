/**
 * A product catalogue behind a filter, to start, to attack, and to copy from.
 */
@NullMarked
package io.github.bloomguard.sample;

import org.jspecify.annotations.NullMarked;
