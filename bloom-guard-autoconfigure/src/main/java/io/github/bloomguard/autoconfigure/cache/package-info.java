/**
 * Auto-configuration of the guarded Redis caches.
 */
@NullMarked
package io.github.bloomguard.autoconfigure.cache;

import org.jspecify.annotations.NullMarked;
