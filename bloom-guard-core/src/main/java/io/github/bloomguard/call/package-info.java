/**
 * What interceptors ask before each guarded call and report after it.
 */
@NullMarked
package io.github.bloomguard.call;

import org.jspecify.annotations.NullMarked;
