package io.github.bloomguard.benchmarks.warmup;

import java.util.ArrayList;
import java.util.List;

import org.redisson.api.RBloomFilter;
import org.redisson.client.codec.StringCodec;

import org.springframework.util.Assert;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Adds the keys to Redisson's Bloom filter, a thousand at a time, while it reads them.
 */
final class RedissonAdd implements Loading {

	private static final int CHUNK = 1000;

	private final LocalRedis redis = LocalRedis.start();

	private final KeyTable table;

	private final FilterSize size;

	private final long limit;

	/**
	 * PostgreSQL may begin anywhere in the table.
	 */
	private long lastRead;

	RedissonAdd(KeyTable table, FilterSize size, long limit) {
		this.table = table;
		this.size = size;
		this.limit = limit;
	}

	@Override
	public String name() {
		return "RBloomFilter.add in chunks of 1,000";
	}

	@Override
	public long run() {
		RBloomFilter<String> filter = filter();
		filter.delete();
		filter.tryInit(this.size.expectedInsertions(), this.size.falsePositiveProbability());
		List<String> chunk = new ArrayList<>(CHUNK);
		long read = this.table.read(this.limit, (key) -> {
			this.lastRead = key;
			chunk.add(Long.toString(key));
			if (chunk.size() == CHUNK) {
				filter.add(chunk);
				chunk.clear();
			}
		});
		if (!chunk.isEmpty()) {
			filter.add(chunk);
		}
		return read;
	}

	@Override
	public void verify() {
		Assert.state(filter().contains(Long.toString(this.lastRead)), "A key is missing");
	}

	private RBloomFilter<String> filter() {
		return this.redis.client().getBloomFilter("entries", StringCodec.INSTANCE);
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

}
