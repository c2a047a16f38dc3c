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

package io.github.bloomguard.benchmarks.type;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;

/**
 * A filter of some type with the numbers from 0 on.
 */
final class TypedFilter {

	private static final int CHUNK = 1000;

	private static final long MAX_MEMORY = 1L << 30;

	private static final String SALT = "0123456789abcdef";

	private final FilterSpecification specification;

	private final FilterStore store;

	private final GenerationId id = new GenerationId("products", UUID.randomUUID().toString());

	private final StoredFilter filter;

	private long keys;

	TypedFilter(FilterStore store, FilterSpecification specification, long keys) throws Exception {
		this.specification = specification;
		this.store = store;
		try (FilterLoad load = store.load(this.id, specification, SALT, MAX_MEMORY).join()) {
			for (long from = 0; from < keys; from += CHUNK) {
				load.add(LongStream.range(from, Math.min(from + CHUNK, keys)).mapToObj(String::valueOf).toList());
			}
			load.endPass();
			this.filter = load.filter();
		}
		this.keys = keys;
		if (!this.filter.seal().join()) {
			throw new IllegalStateException(this.id + " could not be sealed");
		}
	}

	/**
	 * Add keys until there are as many as wanted.
	 * @return whether there was room for all of them
	 */
	boolean grow(long wanted) {
		try {
			for (; this.keys < wanted; this.keys += CHUNK) {
				this.filter.add(elements(this.keys, CHUNK)).join();
			}
			return true;
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof FilterFullException) {
				return false;
			}
			throw ex;
		}
	}

	/**
	 * Return how many keys it had when it took no more.
	 */
	long keys() {
		return this.keys;
	}

	Membership lookup(long key) {
		return this.filter.lookup(SALT + key).join();
	}

	/**
	 * Return the share of keys that do not exist and pass.
	 * @param asked how many are asked for
	 */
	double falsePositives(long asked) {
		long passed = 0;
		for (long from = 1L << 40; from < (1L << 40) + asked; from += CHUNK) {
			List<Membership> answers = this.filter.lookup(elements(from, CHUNK)).join();
			if (answers.contains(Membership.UNKNOWN)) {
				throw new IllegalStateException(this.id + " does not answer");
			}
			passed += answers.stream().filter(Membership.MAYBE::equals).count();
		}
		return (double) passed / asked;
	}

	private static List<String> elements(long from, int count) {
		return LongStream.range(from, from + count).mapToObj((key) -> SALT + key).toList();
	}

	void delete() {
		this.store.delete(this.id, this.specification).join();
	}

}
