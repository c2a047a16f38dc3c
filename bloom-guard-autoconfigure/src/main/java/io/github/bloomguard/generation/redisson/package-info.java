/**
 * The control record, the add journal and the builder's lease, kept in Redis.
 */
@NullMarked
package io.github.bloomguard.generation.redisson;

import org.jspecify.annotations.NullMarked;
