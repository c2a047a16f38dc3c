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

package io.github.bloomguard.test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

/**
 * A bean with guarded methods.
 */
public class Catalogue implements Prices {

	private final AtomicInteger calls = new AtomicInteger();

	public int calls() {
		return this.calls.get();
	}

	@BloomGuarded(filter = "products", key = "#id")
	public @Nullable String findById(long id) {
		this.calls.incrementAndGet();
		return "product " + id;
	}

	@BloomGuarded("products")
	public @Nullable String findByOnlyParameter(long id) {
		return "product " + id;
	}

	@BloomGuarded(filter = "products", keys = "#ids")
	public List<Long> findAllById(List<Long> ids) {
		return ids;
	}

	@BloomAdd("products")
	public void create(long id) {
	}

	public String findByName(String name) {
		return name;
	}

	@Override
	public @Nullable String price(long id) {
		return "price of " + id;
	}

}
