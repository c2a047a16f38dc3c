/**
 * What is asked before and told after each guarded call.
 */
@NullMarked
package io.github.bloomguard.call;

import org.jspecify.annotations.NullMarked;
