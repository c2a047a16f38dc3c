/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.benchmarks.contender;

import java.util.concurrent.TimeUnit;

import com.alicp.jetcache.Cache;
import com.alicp.jetcache.CacheLoader;
import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import com.alicp.jetcache.support.JavaValueDecoder;
import com.alicp.jetcache.support.JavaValueEncoder;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/**
 * JetCache through its programmatic API, with null values cached and one load per key
 * ("penetration protect"). Its values are serialised as those of Spring's cache are.
 */
final class JetCache extends TableContender {

	private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis().port()));

	private final Cache<Long, @Nullable Product> products;

	private final Cache<Long, @Nullable Product> sharedProducts;

	JetCache(ProductTable table) {
		super(table);
		this.products = cache("products:", table::find);
		this.sharedProducts = cache("shared-products:", table::findSlowly);
	}

	private Cache<Long, @Nullable Product> cache(String prefix, CacheLoader<Long, @Nullable Product> loader) {
		return RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
			.redisClient(this.client)
			.keyPrefix(prefix)
			.keyConvertor(String::valueOf)
			.valueEncoder(JavaValueEncoder.INSTANCE)
			.valueDecoder(JavaValueDecoder.INSTANCE)
			.expireAfterWrite(1, TimeUnit.HOURS)
			.cacheNullValue(true)
			.cachePenetrateProtect(true)
			.loader(loader)
			.buildCache();
	}

	@Override
	public String name() {
		return "JetCache";
	}

	@Override
	public @Nullable Product find(long id) {
		return this.products.get(id);
	}

	@Override
	public @Nullable Product findShared(long id) {
		return this.sharedProducts.get(id);
	}

	@Override
	public void close() {
		this.products.close();
		this.sharedProducts.close();
		this.client.shutdown();
		super.close();
	}

}
