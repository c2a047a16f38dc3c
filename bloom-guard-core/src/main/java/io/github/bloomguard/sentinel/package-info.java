/**
 * Empty sentinels: keys that passed the filter and were not found.
 */
@NullMarked
package io.github.bloomguard.sentinel;

import org.jspecify.annotations.NullMarked;
