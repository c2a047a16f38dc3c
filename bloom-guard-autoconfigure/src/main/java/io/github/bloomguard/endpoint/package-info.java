/**
 * The actuator endpoint {@code bloomguard}.
 */
@NullMarked
package io.github.bloomguard.endpoint;

import org.jspecify.annotations.NullMarked;
