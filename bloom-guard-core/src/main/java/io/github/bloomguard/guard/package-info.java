/**
 * The guard itself: filter first, then sentinel, then the method.
 */
@NullMarked
package io.github.bloomguard.guard;

import org.jspecify.annotations.NullMarked;
