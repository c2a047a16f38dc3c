package io.github.bloomguard.benchmarks.contender;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

/**
 * Guava's Bloom filter in the memory of this JVM, asked by hand. It knows nothing of the
 * rows that other instances insert.
 */
final class GuavaGuard extends FilteredCacheable {

	private final BloomFilter<Long> filter;

	GuavaGuard(PlainCacheable cacheable, int rows, double falsePositiveProbability) {
		super(cacheable);
		this.filter = BloomFilter.create(Funnels.longFunnel(), rows, falsePositiveProbability);
		for (long id = 1; id <= rows; id++) {
			this.filter.put(id);
		}
	}

	@Override
	public String name() {
		return "Guava BloomFilter (in-process) + @Cacheable";
	}

	@Override
	boolean mightContain(long id) {
		return this.filter.mightContain(id);
	}

}
