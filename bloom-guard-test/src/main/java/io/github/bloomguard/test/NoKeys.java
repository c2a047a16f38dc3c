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
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.autoconfigure.KeySources;

/**
 * Gives each filter a source without keys.
 */
final class NoKeys implements KeySources {

	@Override
	public List<KeySource> find(String filter) {
		return List.of(new Empty(filter));
	}

	private record Empty(String filter) implements KeySource {

		@Override
		public Stream<?> keys() {
			return Stream.empty();
		}

	}

}
