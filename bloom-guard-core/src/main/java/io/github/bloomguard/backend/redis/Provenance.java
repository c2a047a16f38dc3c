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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.backend.redis.Reigns.Census;
import io.github.bloomguard.backend.redis.Reigns.Reign;
import io.github.bloomguard.gate.RedisUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how a key came to the server that has it, if that is another one than the key
 * names. A server that was promoted may lack writes. One to which the key was moved by
 * the cluster has them all: then the key names that server from now on.
 * <p>
 * It was moved, if it was on its server at a time when the primaries were known, and none
 * of them has been replaced since. Who does not know the primaries of that time can't
 * tell; it waits a while for somebody who can.
 * <p>
 * Concurrency: {@code seen} is replaced by each look that finds the key on its server; an
 * older one is as right as a newer one. {@code since} is when this was not so for the
 * first time.
 */
final class Provenance {

	/**
	 * How long others have to find out. More than Redisson takes to learn of a primary.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(7);

	/**
	 * How long a server can't have forgotten that it was promoted
	 * ({@code repl-backlog-ttl}).
	 */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	/**
	 * Returns which server the key names, and what {@code INFO} says of the one that has
	 * it.
	 */
	private static final String WHO = """
			return { stored(), redis.call('info', 'server') .. redis.call('info', 'replication') }
			""";

	private static final String MOVE = """
			if stored() ~= ARGV[1] or server() ~= ARGV[2] then return 0 end
			store(ARGV[2])
			return 1
			""";

	private final PrimaryCommands commands;

	private final Reigns reigns;

	private final List<String> names;

	private final String script;

	private volatile @Nullable Seen seen;

	private volatile @Nullable Long since;

	/**
	 * Create an instance for one key.
	 * @param commands sends scripts
	 * @param reigns knows the primaries
	 * @param name the name of the key
	 * @param script defines {@code stored()}, which returns the server that the key
	 * names, and {@code store(server)}
	 */
	Provenance(PrimaryCommands commands, Reigns reigns, String name, String script) {
		this.commands = commands;
		this.reigns = reigns;
		this.names = List.of(name);
		this.script = RunId.SCRIPT + script;
	}

	/**
	 * Return what to pass to {@link #found}, before the key is looked at.
	 */
	Census before() {
		return this.reigns.latest();
	}

	/**
	 * The key was on the server that it names.
	 * @param server the server
	 * @param before what was known of the primaries before that
	 */
	void found(String server, Census before) {
		this.since = null;
		if (before.has(server)) {
			this.seen = new Seen(server, before);
		}
	}

	/**
	 * The key is on another server than it names.
	 * @return whether it names that server now, because it was moved there; {@code false}
	 * if writes may be missing; exceptionally if that is not certain yet
	 */
	CompletableFuture<Boolean> explain() {
		if (!this.reigns.isCluster()) {
			return CompletableFuture.completedFuture(false);
		}
		return this.commands.list(this.names, this.script + WHO)
			.thenCompose((reply) -> explain(reply.get(0), Reign.of(reply.get(1))));
	}

	private CompletableFuture<Boolean> explain(String named, Reign present) {
		if (named.equals(present.server())) {
			return CompletableFuture.completedFuture(true);
		}
		Seen seen = this.seen;
		if (seen == null || !seen.server().equals(named) || seen.primaries().age().compareTo(REMEMBERED) > 0) {
			return notYet(null);
		}
		if (!seen.primaries().isContinuedBy(present)) {
			return CompletableFuture.completedFuture(false);
		}
		return this.reigns.take().thenCompose((now) -> {
			if (!seen.primaries().isContinuedBy(now)) {
				return CompletableFuture.completedFuture(false);
			}
			return now.has(present.server()) ? move(named, present.server(), now) : notYet(null);
		}).exceptionallyCompose(this::notYet);
	}

	private CompletableFuture<Boolean> move(String from, String to, Census before) {
		return this.commands.test(this.names, this.script + MOVE, from, to).thenCompose((moved) -> {
			if (!moved) {
				return notYet(null);
			}
			found(to, before);
			return CompletableFuture.completedFuture(true);
		});
	}

	private CompletableFuture<Boolean> notYet(@Nullable Throwable cause) {
		Long since = this.since;
		long now = System.nanoTime();
		if (since == null) {
			this.since = now;
		}
		else if (now - since > PATIENCE.toNanos()) {
			return CompletableFuture.completedFuture(false);
		}
		return CompletableFuture.failedFuture(new RedisUnavailableException(
				"a part of the filter is on another server, and it is not known yet how it came there", cause));
	}

	/**
	 * A time at which the key was on the server that it names.
	 *
	 * @param server the server
	 * @param primaries the primaries before that time
	 */
	private record Seen(String server, Census primaries) {

	}

}
