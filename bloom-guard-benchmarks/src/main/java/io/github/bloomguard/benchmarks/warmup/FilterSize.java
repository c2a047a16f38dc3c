package io.github.bloomguard.benchmarks.warmup;

/**
 * The size of the filters.
 *
 * @param expectedInsertions the number of keys
 * @param falsePositiveProbability the share of absent keys that pass
 */
record FilterSize(long expectedInsertions, double falsePositiveProbability) {
}
