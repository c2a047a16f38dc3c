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

package io.github.bloomguard.compatibility;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs tests with the redis-server that is installed here, if it is of version 7 or
 * later.
 */
final class InstalledRedis implements ExecutionCondition, BeforeAllCallback, AfterAllCallback {

	static final int OLDEST = 7;

	private static final Pattern VERSION = Pattern.compile("v=(\\d+)\\.");

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return find().map((path) -> ConditionEvaluationResult.enabled("There is " + path))
			.orElseGet(() -> ConditionEvaluationResult
				.disabled("There is no redis-server of version " + OLDEST + " or later on the PATH"));
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		System.setProperty(TestRedis.INSTALLED, find().orElseThrow().toString());
	}

	@Override
	public void afterAll(ExtensionContext context) {
		System.clearProperty(TestRedis.INSTALLED);
	}

	private static Optional<Path> find() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((directory) -> Path.of(directory, "redis-server"))
			.filter(Files::isExecutable)
			.filter((path) -> majorVersion(path) >= OLDEST)
			.findFirst();
	}

	private static int majorVersion(Path executable) {
		try {
			Process process = new ProcessBuilder(executable.toString(), "--version").redirectErrorStream(true).start();
			Matcher version = VERSION
				.matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
			return version.find() ? Integer.parseInt(version.group(1)) : 0;
		}
		catch (IOException ex) {
			return 0;
		}
	}

}
