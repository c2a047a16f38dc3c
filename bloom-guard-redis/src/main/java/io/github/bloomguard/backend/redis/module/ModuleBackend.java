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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.MissingCommandsException;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;
import org.jspecify.annotations.Nullable;

/**
 * Keeps filters in those that the server itself has, and all that belongs to them where
 * {@link RedisBackend} keeps it.
 * <p>
 * Concurrency: {@code asked} is guarded by this; all checks wait for the first one.
 */
public final class ModuleBackend implements FilterBackend {

	/**
	 * How long the start waits; a server that is silent may have the commands.
	 */
	private static final Duration LONGEST_QUESTION = Duration.ofSeconds(2);

	private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(3);

	private final FilterKind kind;

	private final Supplier<RedisAccess> redis;

	private final String keyPrefix;

	private final Duration timeout;

	private final RedisBackend others;

	private boolean asked;

	private @Nullable MissingCommandsException missing;

	private ModuleBackend(FilterKind kind, Supplier<RedisAccess> redis, String keyPrefix, Duration timeout) {
		this.kind = kind;
		this.redis = redis;
		this.keyPrefix = keyPrefix;
		this.timeout = timeout;
		this.others = new RedisBackend(redis, keyPrefix, timeout, new ModuleWrites(kind));
	}

	public static ModuleBackend bloom(Supplier<RedisAccess> redis, String keyPrefix, Duration timeout) {
		return new ModuleBackend(FilterKind.BLOOM, redis, keyPrefix, timeout);
	}

	public static ModuleBackend cuckoo(Supplier<RedisAccess> redis, String keyPrefix, Duration timeout) {
		return new ModuleBackend(FilterKind.CUCKOO, redis, keyPrefix, timeout);
	}

	@Override
	public String type() {
		return this.kind.type();
	}

	@Override
	public void check(FilterSpecification specification) {
		checkSize(specification);
		MissingCommandsException missing = missingCommands(specification.filter());
		if (missing != null) {
			throw new InvalidGuardException(
					"bloom-guard.filters.%s.type is '%s', but %s".formatted(specification.filter(), type(),
							missing.getMessage()),
					"Set it to redis, which needs no more than each Redis has, or use a server that has them: "
							+ this.kind.server());
		}
	}

	private void checkSize(FilterSpecification specification) {
		long reserved = this.kind.sizes().apply(specification).reserved();
		if (reserved > FilterSize.MAX_RESERVED) {
			String property = "bloom-guard.filters." + specification.filter();
			throw new InvalidGuardException(
					"%s.expected-insertions is %d, for which a filter of the type '%s' needs room for %d; the server has it for at most %d"
						.formatted(property, specification.expectedInsertions(), type(), reserved,
								FilterSize.MAX_RESERVED),
					"Set it to less, or %s.type to redis".formatted(property));
		}
	}

	/**
	 * Return what the server has not, {@code null} if it has everything, or does not
	 * answer: then the filters report it when it does.
	 */
	private synchronized @Nullable MissingCommandsException missingCommands(String filter) {
		if (!this.asked) {
			this.asked = true;
			this.missing = ask(this.others.checkCommands(filter));
		}
		return this.missing;
	}

	private static @Nullable MissingCommandsException ask(CompletableFuture<Void> question) {
		try {
			question.get(LONGEST_QUESTION.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			return (ex.getCause() instanceof MissingCommandsException missing) ? missing : null;
		}
		catch (TimeoutException ex) {
			// reported by the filters when there is an answer
		}
		return null;
	}

	@Override
	public FilterStore filters() {
		return new ModuleFilterStore(this.kind, this.redis.get(), this.keyPrefix, this.timeout, WRITE_TIMEOUT);
	}

	@Override
	public ControlStore control(FilterSettings settings, Origin origin) {
		return this.others.control(settings, origin);
	}

	@Override
	public EmptySentinels sentinels(FilterSettings settings, Origin origin) {
		return this.others.sentinels(settings, origin);
	}

	@Override
	public CheckpointStore checkpoints(FilterSettings settings, Origin origin) {
		return this.others.checkpoints(settings, origin);
	}

}
