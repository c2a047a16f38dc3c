/**
 * Keeps filters in the memory of this process. Nothing here waits for anybody.
 */
@NullMarked
package io.github.bloomguard.backend.memory;

import org.jspecify.annotations.NullMarked;
