package io.github.bloomguard.backend;

import java.time.Duration;

/**
 * What a backend has to know of one filter.
 *
 * @param filter the name of the filter
 * @param origin where its keys come from
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param journalRetention how long added keys are kept in the journal while nothing is
 * built
 * @param addedRetention how long a key counts as added lately, longer than any load
 * @param addReplicas how many replicas must have an added key before adding it succeeds
 * @since 0.1.0
 */
public record BackendSettings(String filter, String origin, Duration longestTransaction, Duration journalRetention,
		Duration addedRetention, int addReplicas) {

}
