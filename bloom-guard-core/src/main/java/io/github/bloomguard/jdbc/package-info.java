/**
 * Reads keys with SQL, for the warm-up and for catching up.
 */
@NullMarked
package io.github.bloomguard.jdbc;

import org.jspecify.annotations.NullMarked;
