/**
 * How the guard writes about failures: seldom, on one line, and without what others must
 * not read.
 */
@NullMarked
package io.github.bloomguard.logging;

import org.jspecify.annotations.NullMarked;
