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

package io.github.bloomguard.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

/**
 * What all guarded caches of an application share.
 *
 * @param rules gives the rules of a cache by its name; {@code null} for one that is left
 * as it is
 * @param loadExecutor runs what the application loads in the background
 * @param commandExecutor has threads that wait for Redis
 * @param missScripts those that give a load its token
 * @param patientScripts those for which callers wait as long as the application's driver
 * does
 */
record CacheParts(Function<String, @Nullable CacheRules> rules,
		BiFunction<String, byte[], Supplier<Answer<Boolean>>> nullMayBeStored, CacheEvents events,
		CompanionKeys companions, ClearedTogether cleared, EntryScripts scripts, EntryScripts missScripts,
		EntryScripts patientScripts, LateCommands late, TokenReturns returns, Epoch epoch, SingleFlight flights,
		EarlyRefresh earlyRefresh, Executor loadExecutor, Executor commandExecutor) {

	@Nullable CacheRules rules(String cache) {
		return this.rules.apply(cache);
	}

	/**
	 * Return whether what was not found may be stored: others see it, too, and it is
	 * removed when the row is added.
	 * @return asks a source, if there is one that can tell
	 */
	Supplier<Answer<Boolean>> mayStoreNull(String cache, byte[] key) {
		return ThreadTransaction.readsRecent() ? this.nullMayBeStored.apply(cache, key) : () -> Answer.of(false);
	}

	/**
	 * Have what was invalidated removed as soon as Redis does it.
	 */
	void owe(String cache, Runnable removal) {
		this.late.owe(removal, (removed) -> {
			if (!removed) {
				this.events.redisFailed(cache, "an older value may be served until it expires",
						new RejectedExecutionException("Too much waits for Redis"));
			}
		});
	}

	/**
	 * Send commands from a thread that waits for Redis only, so a few are enough and
	 * can't block each other. Completes exceptionally if there are too many commands, or
	 * if no thread can be started.
	 */
	<T extends @Nullable Object> CompletableFuture<T> ask(Supplier<T> commands) {
		return CompletableFuture.completedFuture(null)
			.thenApplyAsync((nothing) -> commands.get(), this.commandExecutor);
	}

	CompletableFuture<@Nullable Void> run(Runnable commands) {
		return ask(() -> {
			commands.run();
			return null;
		});
	}

	/**
	 * Send commands on this thread, unless it is one that must not wait.
	 */
	void runWhereItMayBlock(String name, Runnable commands) {
		if (!EventLoops.isCurrentThread()) {
			commands.run();
			return;
		}
		run(commands).whenComplete((done, ex) -> {
			if (ex != null) {
				this.events.redisFailed(name, "an entry could not be changed", ex);
			}
		});
	}

	/**
	 * Return the same result, from where the application runs its tasks.
	 */
	<T extends @Nullable Object> CompletableFuture<T> goOn(CompletableFuture<T> result) {
		return result.whenCompleteAsync((value, failure) -> {
		}, this::goOn);
	}

	void goOn(Runnable next) {
		try {
			this.loadExecutor.execute(next);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			next.run();
		}
	}

}
