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
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.redisson.client.protocol.RedisCommand;

/**
 * Reads the word of a filter and the bits of lookups by one command, which is atomic. An
 * answer is certain only if the word says that the filter is sealed.
 */
final class BitReads implements LookupQueue.Sender<Lookup> {

	private static final RedisCommand<List<Object>> COMMAND = new RedisCommand<>("BITFIELD_RO");

	// buffers, because Redisson makes a new one of anything else, for each argument
	private static final ByteBuf GET = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(ascii("GET")));

	private static final ByteBuf BIT = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(ascii("u1")));

	private static final byte[] WORD = ascii("i64");

	private static final int BEFORE_BITS = 4;

	private static final Long SET = 1L;

	private final PrimaryCommands commands;

	private final String key;

	private final Long sealed;

	private final byte[] encodedKey;

	private final byte[] sealOffset;

	BitReads(PrimaryCommands commands, String name, BloomLayout layout, SealWord word) {
		this.commands = commands;
		this.key = name;
		this.sealed = word.sealed();
		this.encodedKey = this.key.getBytes(StandardCharsets.UTF_8);
		this.sealOffset = Decimal.digits(layout.sealOffset());
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public CompletableFuture<List<Object>> send(List<Lookup> batch) {
		int bits = 0;
		for (Lookup lookup : batch) {
			bits += lookup.indexes().length;
		}
		Object[] params = new Object[BEFORE_BITS + 3 * bits];
		params[0] = this.encodedKey;
		params[1] = GET;
		params[2] = WORD;
		params[3] = this.sealOffset;
		int next = BEFORE_BITS;
		for (Lookup lookup : batch) {
			for (long index : lookup.indexes()) {
				params[next++] = GET;
				params[next++] = BIT;
				params[next++] = Decimal.digits(index);
			}
		}
		return this.commands.send(this.key, COMMAND, params);
	}

	@Override
	public void answer(List<Lookup> batch, @Nullable List<Object> reply, @Nullable Throwable failure) {
		if (reply == null) {
			batch.forEach((lookup) -> lookup.fail(failure));
			return;
		}
		boolean certain = this.sealed.equals(reply.get(0));
		int next = 1;
		for (Lookup lookup : batch) {
			boolean all = true;
			for (int i = 0; i < lookup.indexes().length; i++) {
				all &= SET.equals(reply.get(next++));
			}
			lookup.complete(!certain ? Membership.UNKNOWN : all ? Membership.MAYBE : Membership.ABSENT);
		}
	}

}
