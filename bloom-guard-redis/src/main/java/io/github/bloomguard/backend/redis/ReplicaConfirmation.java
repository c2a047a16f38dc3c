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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RScript.Mode;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;

/**
 * Waits until replicas have what was written to a filter, where its record is and where
 * shards are. The write in each script is what {@code WAIT} waits for. Replication keeps
 * the order, so a replica that has it has the keys too, whichever connection they were
 * sent on.
 */
final class ReplicaConfirmation {

	private final RedisAccess redis;

	private final RedisKeys keys;

	private final int replicas;

	private final BatchOptions options;

	private final Duration timeout;

	private final AtomicInteger shards = new AtomicInteger();

	private final Confirmations<List<String>> confirmations = new Confirmations<>(this::awaitReplicas);

	@SuppressWarnings("deprecation") // sync came with 3.23
	ReplicaConfirmation(RedisAccess redis, RedisKeys keys, int replicas, Duration timeout) {
		this.redis = redis;
		this.keys = keys;
		this.replicas = replicas;
		Duration response = timeout.multipliedBy(2);
		this.options = BatchOptions.defaults()
			.syncSlaves(replicas, timeout.toMillis(), TimeUnit.MILLISECONDS)
			.responseTimeout(response.toMillis(), TimeUnit.MILLISECONDS)
			.retryAttempts(0);
		this.timeout = response.plus(RedisAccess.SLACK);
	}

	boolean isNeeded() {
		return this.replicas > 0;
	}

	void include(int shards) {
		this.shards.accumulateAndGet(shards, Math::max);
	}

	CompletableFuture<List<String>> confirm() {
		return this.confirmations.confirm();
	}

	private CompletableFuture<List<String>> awaitReplicas() {
		List<String> marks = IntStream.range(0, this.shards.get()).mapToObj(this.keys::confirmed).toList();
		CompletableFuture<?>[] shards = this.redis.onePerPrimary(marks, this.keys.control())
			.stream()
			.map((mark) -> awaitReplicas(RedisCommands.EVAL_LONG, ControlScripts.CONFIRM_SHARDS, List.of(mark)))
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture<BatchResult<?>> record = awaitReplicas(RedisCommands.EVAL_LIST, ControlScripts.CONFIRM,
				this.keys.record());
		return CompletableFuture.allOf(shards)
			.thenCombine(record, (nothing, result) -> PrimaryCommands.strings((List<?>) result.getResponses().get(0)));
	}

	private CompletableFuture<BatchResult<?>> awaitReplicas(RedisCommand<?> type, String script, List<String> names) {
		return this.redis.<BatchResult<?>>sendBehind(() -> {
			RBatch batch = this.redis.client().createBatch(this.options);
			batch.getScript(StringCodec.INSTANCE)
				.evalAsync(Mode.READ_WRITE, script, RedissonLine.returnType(type), List.copyOf(names));
			return batch.executeAsync().thenApply(Function.identity());
		}).copy().orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS).thenApply((result) -> {
			if (result.getSyncedSlaves() < this.replicas) {
				throw new IllegalStateException("Only %d of %d replicas have the keys of the filter '%s'"
					.formatted(result.getSyncedSlaves(), this.replicas, this.keys.filter()));
			}
			return result;
		});
	}

}
