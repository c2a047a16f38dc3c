/**
 * An application with one guarded reactive service.
 */
@NullMarked
package io.github.bloomguard.compatibility.reactive;

import org.jspecify.annotations.NullMarked;
