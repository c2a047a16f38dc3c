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

package io.github.bloomguard.backend.redis.module;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.LookupQueue;
import io.github.bloomguard.backend.redis.PrimaryCommands;
import org.jspecify.annotations.Nullable;
import org.redisson.client.protocol.RedisCommand;

/**
 * Asks for the elements that say that a filter is sealed, and for those of lookups, by
 * one command, which is atomic. An answer is certain only if the former are all there.
 */
final class ElementReads implements LookupQueue.Sender<ElementLookup> {

	private final RedisCommand<List<Object>> command;

	private final PrimaryCommands commands;

	private final String key;

	private final byte[] encodedKey;

	private final List<byte[]> sealed;

	ElementReads(FilterKind kind, PrimaryCommands commands, String name, SealElements seal) {
		this.command = new RedisCommand<>(kind.commands().toUpperCase(Locale.ROOT) + ".MEXISTS");
		this.commands = commands;
		this.key = name;
		this.encodedKey = this.key.getBytes(StandardCharsets.UTF_8);
		this.sealed = seal.sealed();
	}

	@Override
	public CompletableFuture<List<Object>> send(List<ElementLookup> batch) {
		Object[] params = new Object[1 + this.sealed.size() + batch.size()];
		params[0] = this.encodedKey;
		int next = 1;
		for (byte[] element : this.sealed) {
			params[next++] = element;
		}
		for (ElementLookup lookup : batch) {
			params[next++] = lookup.element();
		}
		return this.commands.send(this.key, this.command, params);
	}

	@Override
	public void answer(List<ElementLookup> batch, @Nullable List<Object> reply, @Nullable Throwable failure) {
		if (reply == null) {
			batch.forEach((lookup) -> lookup.fail(failure));
			return;
		}
		boolean certain = isSealed(reply);
		int next = this.sealed.size();
		for (ElementLookup lookup : batch) {
			boolean present = isPresent(reply.get(next++));
			lookup.complete(!certain ? Membership.UNKNOWN : present ? Membership.MAYBE : Membership.ABSENT);
		}
	}

	boolean isSealed(List<Object> reply) {
		return reply.subList(0, this.sealed.size()).stream().allMatch(ElementReads::isPresent);
	}

	/**
	 * True is a number in version 2 of Redis's protocol and a boolean in version 3.
	 */
	private static boolean isPresent(Object reply) {
		return Boolean.TRUE.equals(reply) || (reply instanceof Number number && number.longValue() == 1);
	}

}
