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

package io.github.bloomguard.declaration;

import java.util.Optional;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.AskedKey;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.CacheableOperation;

/**
 * What an annotation asks for: of which filter, for which key, and when.
 *
 * @param many whether each element of the key is one
 */
public record GuardOperation(Declaration declaration, GuardExpression key, boolean many,
		@Nullable GuardExpression condition) {

	public String filter() {
		return this.declaration.filter();
	}

	public boolean usesResult() {
		return this.key.usesResult() || (this.condition != null && this.condition.usesResult());
	}

	/**
	 * Return the key as far as it tells from which parameters or result it is.
	 */
	public Optional<AskedKey> askedKey() {
		return AskedKeys.of(this);
	}

	/**
	 * Refuse a method whose null values have another key in a cache than in the filter.
	 * @throws InvalidGuardException if it is one, as far as annotations tell
	 */
	public void checkKeyOf(CacheableOperation cacheable) {
		CacheKey.check(this, cacheable);
	}

	@Override
	public String toString() {
		return "filter: " + filter() + (this.many ? ", keys: " : ", key: ") + this.key
				+ ((this.condition != null) ? ", condition: " + this.condition : "");
	}

}
