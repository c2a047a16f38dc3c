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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.lua.LuaFile;
import org.redisson.client.protocol.RedisCommands;

/**
 * A string of a filter that is being filled, written past {@code RBloomFilter}. Each step
 * returns whether the filter is still as it was left, with its configuration and in its
 * full length, and on the same server if it has a stamp. None may be sent twice, because
 * unlike an add it sets bytes and not bits.
 */
final class FilterString {

	private static final String CONFIGURED = BitString.STAMPED + LuaFile.read(FilterString.class, "copy/configured");

	private static final String ALLOCATE = CONFIGURED + LuaFile.read(FilterString.class, "copy/allocate");

	private static final String WRITE = CONFIGURED + LuaFile.read(FilterString.class, "copy/write");

	private static final String CHECK = CONFIGURED + LuaFile.read(FilterString.class, "copy/check");

	private static final String COPIED = LuaFile.read(FilterString.class, "copy/copied");

	private static final byte[] EXPIRY = Decimal.digits(BitString.LOADING.toMillis());

	private static final byte[] NO_STAMP = "-1".getBytes(StandardCharsets.US_ASCII);

	private final PrimaryCommands commands;

	private final String key;

	private final List<String> names;

	private final List<byte[]> expected;

	FilterString(PrimaryCommands commands, String name, BloomLayout layout) {
		this.commands = commands;
		this.key = name;
		this.names = BitString.names(name, layout);
		this.expected = List.of(Decimal.digits(layout.bits()), Decimal.digits(layout.hashFunctions()),
				Decimal.digits(layout.lengthInBytes()),
				layout.isStamped() ? Decimal.digits(layout.stampOffset() / Byte.SIZE) : NO_STAMP);
	}

	CompletableFuture<Boolean> isCopied() {
		return this.commands.test(this.names, COPIED);
	}

	/**
	 * Write the whole string. Redis takes it over from the network as it comes, between
	 * other commands, and copies nothing, unless {@link #isCopied} says so.
	 */
	CompletableFuture<Boolean> writeAll(byte[] bytes) {
		return this.commands.send(this.key, RedisCommands.SET, this.key, bytes, "PX", EXPIRY)
			.thenCompose((nothing) -> eval(CHECK));
	}

	CompletableFuture<Boolean> allocate() {
		return eval(ALLOCATE, EXPIRY);
	}

	CompletableFuture<Boolean> write(long offset, byte[] bytes) {
		return eval(WRITE, Decimal.digits(offset), bytes);
	}

	private CompletableFuture<Boolean> eval(String lua, byte[]... more) {
		Object[] arguments = Arrays.copyOf(this.expected.toArray(), this.expected.size() + more.length);
		System.arraycopy(more, 0, arguments, this.expected.size(), more.length);
		return this.commands.test(this.names, lua, arguments);
	}

}
