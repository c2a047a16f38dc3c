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

package io.github.bloomguard.warmup;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.bloomguard.filter.KeyShape;

/**
 * Passes keys on from any thread, and remembers whether there were any and their shapes.
 */
final class ScannedKeys implements Consumer<List<String>> {

	private static final int SHAPES = 3;

	private final Consumer<List<String>> sink;

	private final AtomicBoolean any = new AtomicBoolean();

	private final Set<String> shapes = ConcurrentHashMap.newKeySet();

	ScannedKeys(Consumer<List<String>> sink) {
		this.sink = sink;
	}

	@Override
	public void accept(List<String> keys) {
		if (!keys.isEmpty()) {
			this.any.lazySet(true);
			if (this.shapes.size() < SHAPES) {
				this.shapes.add(KeyShape.of(keys.get(0)));
			}
			this.sink.accept(keys);
		}
	}

	boolean isEmpty() {
		return !this.any.get();
	}

	String shapes() {
		return String.join(" or ", this.shapes);
	}

}
