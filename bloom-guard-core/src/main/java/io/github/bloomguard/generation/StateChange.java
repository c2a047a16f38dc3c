package io.github.bloomguard.generation;

import java.time.Instant;

import io.github.bloomguard.FilterState;
import org.jspecify.annotations.Nullable;

/**
 * How a filter came into the state that it is in.
 *
 * @param state the state
 * @param since when this instance noticed it
 * @param reason why, in words for an operator, {@code null} if there is nothing to say
 * @since 0.1.0
 */
public record StateChange(FilterState state, Instant since, @Nullable String reason) {

}
