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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Gives each thing once before any again, in an order that is drawn anew each time.
 */
final class Bag<T> {

	private final Collection<T> things;

	private final Random random;

	private final List<T> left = new ArrayList<>();

	Bag(Collection<T> things, Random random) {
		this.things = things;
		this.random = random;
	}

	T next() {
		if (this.left.isEmpty()) {
			this.left.addAll(this.things);
			Collections.shuffle(this.left, this.random);
		}
		return this.left.remove(this.left.size() - 1);
	}

}
