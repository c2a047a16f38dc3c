/**
 * Where keys come from and who loads them.
 */
@NullMarked
package io.github.bloomguard.warmup;

import org.jspecify.annotations.NullMarked;
