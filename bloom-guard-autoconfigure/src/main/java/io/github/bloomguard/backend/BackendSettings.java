package io.github.bloomguard.backend;

import java.time.Duration;

import io.github.bloomguard.filter.FilterKeys;

/**
 * What a backend has to know of one filter.
 *
 * @param keys the names under which it is kept
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param journalRetention how long added keys are kept in the journal while nothing is
 * built
 * @param addedRetention how long a key counts as added lately, longer than any load
 * @param addReplicas how many replicas must have an added key before adding it succeeds
 * @since 0.1.0
 */
public record BackendSettings(FilterKeys keys, Duration longestTransaction, Duration journalRetention,
		Duration addedRetention, int addReplicas) {

}
