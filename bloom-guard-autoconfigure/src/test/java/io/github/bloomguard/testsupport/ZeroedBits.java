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

package io.github.bloomguard.testsupport;

/**
 * Zeroes the bits of filters, but for their last eight bytes, where the seal is.
 */
public final class ZeroedBits {

	private ZeroedBits() {
	}

	public static void in(TestRedis redis) {
		for (String key : redis.keys("*:bits:*")) {
			if (redis.command("type", key).equals("string")) {
				int bytes = Integer.parseInt(redis.command("strlen", key)) - 8;
				redis.command("setrange", key, "0", "\0".repeat(Math.max(bytes, 0)));
			}
		}
	}

}
