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

package io.github.bloomguard.lua;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

import org.springframework.core.io.ClassPathResource;

/**
 * Reads files with Lua. A script is one file, or several after one another: functions
 * before what calls them.
 */
public final class LuaFile {

	private LuaFile() {
	}

	/**
	 * Return the lines of a file without comments and blank lines, which would be sent to
	 * Redis with each {@code EVAL}.
	 * @param user in whose package the file is
	 * @param name its path there, without {@code .lua}
	 */
	public static String read(Class<?> user, String name) {
		try {
			return new ClassPathResource(name + ".lua", user).getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.filter((line) -> !line.isBlank() && !line.stripLeading().startsWith("--"))
				.map((line) -> line + "\n")
				.collect(Collectors.joining());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
