/**
 * Bits kept in a Redisson {@code RBloomFilter}.
 */
@NullMarked
package io.github.bloomguard.filter.redisson;

import org.jspecify.annotations.NullMarked;
