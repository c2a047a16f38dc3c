/**
 * Puts annotated methods behind a filter: an annotation becomes an immutable operation
 * when the proxy is made, is found by method when it is called, and is carried out by a
 * thin interceptor.
 */
@NullMarked
package io.github.bloomguard.interceptor;

import org.jspecify.annotations.NullMarked;
