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

package io.github.bloomguard.cache;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * One entry of one cache, by its key in Redis, which must not be changed.
 */
record EntryKey(String cache, byte[] key) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EntryKey that && this.cache.equals(that.cache) && Arrays.equals(this.key, that.key);
	}

	@Override
	public int hashCode() {
		return 31 * this.cache.hashCode() + Arrays.hashCode(this.key);
	}

}
