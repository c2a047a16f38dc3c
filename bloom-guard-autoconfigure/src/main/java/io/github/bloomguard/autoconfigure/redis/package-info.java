/**
 * How the guard finds the application's Redis and connects to it.
 */
@NullMarked
package io.github.bloomguard.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
