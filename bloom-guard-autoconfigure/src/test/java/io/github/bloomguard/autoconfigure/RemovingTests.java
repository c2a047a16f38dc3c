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

package io.github.bloomguard.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.Needed;
import io.github.bloomguard.testsupport.Needs;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the command in the documentation that deletes what is left in Redis.
 */
@Needs(Needed.REDIS_CLI)
class RemovingTests {

	private static final Pattern COMMAND = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);

	private static final String ODD = "it's \"\\x00\\\" ; $(exit) a\nb";

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	@Test
	void nothingOfTheGuardIsLeftAndEverythingElse(@TempDir Path directory) throws Exception {
		try (GuardApplication application = GuardApplication.start(this.redis,
				List.of(new Keys("products", 10), Caching.class), "spring.cache.type=redis")) {
			application.awaitReady();
			application.guard().add("products", ODD);
			Cache products = application.bean(CacheManager.class).getCache("products");
			products.put(ODD, "kept");
			products.evict("gone");
			products.evict(ODD + ODD);
			assertThat(products.get(ODD)).isNotNull();
		}
		assertThat(this.redis.keys("bloom-guard:{products}:*")).isNotEmpty();
		assertThat(this.redis.keys("bloom-guard:cache:*")).hasSizeGreaterThan(1);
		shell(directory, command());
		assertThat(this.redis.keys("*")).containsExactlyElementsOf(("products::" + ODD).lines().toList());
	}

	private static String command() throws Exception {
		Matcher command = COMMAND.matcher(Files.readString(Path.of("../docs/guides/removing.md")));
		assertThat(command.find()).isTrue();
		return command.group(1);
	}

	private void shell(Path directory, String command) throws Exception {
		Path client = directory.resolve("redis-cli");
		Files.createFile(client, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
		Files.writeString(client, "#!/bin/sh\nPATH=${PATH#*:} exec redis-cli -p " + this.redis.port() + " \"$@\"\n");
		ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
		shell.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
		Process process = shell.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(output.lines()).isNotEmpty().allMatch((line) -> line.equals("1"));
	}

	@EnableCaching
	static class Caching {

	}

}
