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

import io.github.bloomguard.backend.redis.ReplicationIds.ReplicationId;
import io.github.bloomguard.backend.redis.ReplicationIds.Topology;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.lua.LuaFile;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether the server that has a key took over by a failover, after which writes
 * may be missing, or by a migration of the key's slot, after which none are and the key
 * names the new server.
 * <p>
 * It was a migration if the key was on its server at a time when the topology was known,
 * and no primary has been replaced since. An instance that does not know the topology of
 * that time waits a while for one that does.
 * <p>
 * Concurrency: {@code seen} is replaced by each look that finds the key on its server; an
 * older one is as right as a newer one. {@code since} is when that was not so at first.
 */
final class FailoverDetector {

	/**
	 * How long others have to find out: more than Redisson takes to learn of a primary.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(7);

	/**
	 * How long a server can't have forgotten its promotion ({@code repl-backlog-ttl}).
	 */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	private static final String WHO = LuaFile.read(FailoverDetector.class, "failover/who");

	private static final String MOVE = LuaFile.read(FailoverDetector.class, "failover/move");

	private final PrimaryCommands commands;

	private final ReplicationIds replicationIds;

	private final List<String> names;

	private final String script;

	private volatile @Nullable Seen seen;

	private volatile @Nullable Long since;

	FailoverDetector(PrimaryCommands commands, ReplicationIds replicationIds, String name, String script) {
		this.commands = commands;
		this.replicationIds = replicationIds;
		this.names = List.of(name);
		this.script = RunId.SCRIPT + script;
	}

	/**
	 * Return what to pass to {@link #found}, before the key is looked at.
	 */
	Topology before() {
		return this.replicationIds.latest();
	}

	void found(String server, Topology before) {
		this.since = null;
		if (before.has(server)) {
			this.seen = new Seen(server, before);
		}
	}

	/**
	 * Find out why the key is on another server than it names.
	 * @return whether it names that server now, because it was moved there; {@code false}
	 * if writes may be missing; exceptionally if that is not certain yet
	 */
	CompletableFuture<Boolean> explain() {
		if (!this.replicationIds.isCluster()) {
			return CompletableFuture.completedFuture(false);
		}
		return this.commands.list(this.names, this.script + WHO)
			.thenCompose((reply) -> explain(reply.get(0), ReplicationId.of(reply.get(1))));
	}

	private CompletableFuture<Boolean> explain(String named, ReplicationId present) {
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
		return this.replicationIds.take().thenCompose((now) -> {
			if (!seen.primaries().isContinuedBy(now)) {
				return CompletableFuture.completedFuture(false);
			}
			return now.has(present.server()) ? move(named, present.server(), now) : notYet(null);
		}).exceptionallyCompose(this::notYet);
	}

	private CompletableFuture<Boolean> move(String from, String to, Topology before) {
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

	private record Seen(String server, Topology primaries) {

	}

}
