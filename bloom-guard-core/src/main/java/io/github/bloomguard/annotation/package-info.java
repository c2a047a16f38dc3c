/**
 * The annotations that put a method behind a filter or keep a filter up to date.
 */
@NullMarked
package io.github.bloomguard.annotation;

import org.jspecify.annotations.NullMarked;
