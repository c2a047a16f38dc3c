/**
 * A filter is a control record and generations; what may be asked, what is written, and
 * how one generation follows another.
 */
@NullMarked
package io.github.bloomguard.generation;

import org.jspecify.annotations.NullMarked;
