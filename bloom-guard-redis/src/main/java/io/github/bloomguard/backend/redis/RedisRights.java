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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.lua.LuaFile;

/**
 * Makes sure that the user of a connection may run all commands that the guard needs. A
 * script that runs one it may not fails with a half of its work done, and Redis does not
 * say which one it was.
 */
final class RedisRights {

	private static final String TRYING = LuaFile.read(RedisRights.class, "rights/trying");

	private static final String TRY = TRYING + LuaFile.read(RedisRights.class, "rights/try");

	private static final String TRY_READING = TRYING + LuaFile.read(RedisRights.class, "rights/try-reading");

	private static final String RESULT = LuaFile.read(RedisRights.class, "rights/missing");

	private static final String MISSING = "-";

	private final PrimaryCommands commands;

	private final List<String> scratch;

	private final String script;

	private volatile boolean given;

	RedisRights(PrimaryCommands commands, String name, WriteScript writes) {
		this(commands, name, TRY + writes.trials() + RESULT);
	}

	private RedisRights(PrimaryCommands commands, String name, String script) {
		this.commands = commands;
		this.scratch = List.of(name + ":rights");
		this.script = script;
	}

	/**
	 * Return the rights that are needed to ask the filter of another application.
	 */
	static RedisRights ofReader(PrimaryCommands commands, String name) {
		return new RedisRights(commands, name, TRY_READING);
	}

	/**
	 * Take a step that needs the rights. If Redis refuses it, they may have been taken
	 * away since.
	 */
	<T> CompletableFuture<T> with(Supplier<CompletableFuture<T>> step) {
		return check().thenCompose((given) -> step.get()).exceptionallyCompose((failure) -> {
			CompletableFuture<T> failed = CompletableFuture.failedFuture(failure);
			if (!this.given || !(failure.getCause() instanceof RedisRefusedException)) {
				return failed;
			}
			this.given = false;
			return check().thenCompose((given) -> failed);
		});
	}

	CompletableFuture<Void> check() {
		return this.given ? CompletableFuture.completedFuture(null)
				: this.commands.list(this.scratch, this.script).thenCompose((missing) -> {
					if (missing.isEmpty()) {
						this.given = true;
						return CompletableFuture.completedFuture(null);
					}
					return CompletableFuture.failedFuture(refusal(missing));
				});
	}

	private static RuntimeException refusal(List<String> missing) {
		List<String> unknown = missing.stream()
			.filter((name) -> name.startsWith(MISSING))
			.map((name) -> name.substring(MISSING.length()).toUpperCase(Locale.ROOT))
			.toList();
		return unknown.isEmpty()
				? new RedisRefusedException(
						"the user of the guard's connection may not run " + String.join(", ", missing))
				: new MissingCommandsException(unknown);
	}

}
