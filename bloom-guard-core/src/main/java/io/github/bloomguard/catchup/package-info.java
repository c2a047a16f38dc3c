/**
 * Adds the keys of rows that other programs write.
 */
@NullMarked
package io.github.bloomguard.catchup;

import org.jspecify.annotations.NullMarked;
