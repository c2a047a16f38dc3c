/**
 * What an application uses: the {@link io.github.bloomguard.BloomGuard guard}, its
 * answers, its listener and its exceptions.
 */
@NullMarked
package io.github.bloomguard;

import org.jspecify.annotations.NullMarked;
