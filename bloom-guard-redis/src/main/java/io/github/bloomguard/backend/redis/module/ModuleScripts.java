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

import io.github.bloomguard.lua.LuaFile;

/**
 * The Lua scripts for filters of one kind. Their key is the filter.
 */
final class ModuleScripts {

	private static final String FUNCTIONS = read("functions");

	private static final String CREATE = read("create");

	private static final String WRITE = read("write");

	private static final String KEEP_ALIVE = read("keep-alive");

	private static final String SEAL = read("seal");

	private static final String INFO = read("info");

	private final FilterKind kind;

	ModuleScripts(FilterKind kind) {
		this.kind = kind;
	}

	String functions() {
		return commands() + this.kind.put() + FUNCTIONS;
	}

	String create() {
		return functions() + CREATE;
	}

	String write() {
		return functions() + WRITE;
	}

	String keepAlive() {
		return functions() + KEEP_ALIVE;
	}

	String seal() {
		return functions() + SEAL;
	}

	String info() {
		return commands() + INFO;
	}

	private String commands() {
		return "local commands = '" + this.kind.commands() + "'\n";
	}

	private static String read(String name) {
		return LuaFile.read(ModuleScripts.class, name);
	}

}
