/**
 * Filters: their specification, the canonical form of a key, and the place where bits are
 * kept.
 */
@NullMarked
package io.github.bloomguard.filter;

import org.jspecify.annotations.NullMarked;
