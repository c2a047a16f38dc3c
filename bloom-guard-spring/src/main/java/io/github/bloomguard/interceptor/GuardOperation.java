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

package io.github.bloomguard.interceptor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Operation of a {@code @BloomGuarded}, for one key or for many.
 *
 * @param emptyTtl {@code null} for as long as the filter says
 * @param missing what is thrown if nothing can be found, {@code null} for the empty value
 */
record GuardOperation(Declaration declaration, String filter, @Nullable GuardExpression key,
		@Nullable KeysParameter keys, @Nullable GuardExpression condition, @Nullable Duration emptyTtl,
		@Nullable Missing missing) {

	GuardOperation {
		Assert.hasText(filter, "'filter' must not be empty");
		Assert.isTrue((key == null) != (keys == null), "Either 'key' or 'keys' must be given");
		Assert.isTrue(emptyTtl == null || !emptyTtl.isNegative(), "'emptyTtl' must not be negative");
	}

	@Override
	public String toString() {
		return "filter: " + this.filter + ", " + ((this.keys != null) ? "keys: " + this.keys : "key: " + this.key)
				+ ((this.condition != null) ? ", condition: " + this.condition : "");
	}

}
