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

package io.github.bloomguard.backend.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.lua.LuaFile;

/**
 * Counts the bits of a string, of a large one in its first part only, as elements set
 * bits all over it alike: {@code BITCOUNT} stops Redis for 0.3 ms there, and for 3 ms in
 * 12 MB. With half of the bits set, the standard deviation of the result is 0.04 %.
 */
final class BitCount {

	static final int PART = 1 << 20;

	private static final String COUNT = LuaFile.read(BitCount.class, "bits/count");

	private final PrimaryCommands commands;

	private final List<String> names;

	private final long bits;

	BitCount(PrimaryCommands commands, String name, long bits) {
		this.commands = commands;
		this.names = List.of(name);
		this.bits = bits;
	}

	CompletableFuture<Long> estimate() {
		long bytes = (this.bits + Byte.SIZE - 1) / Byte.SIZE;
		long counted = Math.min(bytes, PART);
		return this.commands.count(this.names, COUNT, String.valueOf(counted - 1))
			.thenApply((set) -> (counted < bytes) ? Math.round((double) set * this.bits / (counted * Byte.SIZE)) : set);
	}

}
