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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.instance.MirrorStatus.State;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests with a user who has the rights that the documentation names, and with one less.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class RedisRightsTests {

	/** Redisson itself sends these. */
	private static final List<String> OF_THE_CLIENT = List.of("ping", "client|setname", "script|load", "eval",
			"evalsha", "select");

	/** Mirrors need these, and filters don't. */
	private static final List<String> OF_MIRRORS = List.of("publish", "subscribe", "unsubscribe");

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		giveRights(documented().stream());
		redisson = RedissonClients.of(redis, (config) -> config.setUsername("guard").setPassword("secret"));
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
	}

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	/**
	 * Return the rights that are named in the documentation.
	 */
	private static List<String> documented() {
		try {
			String text = Files.readString(Path.of("../docs/guides/redis.md"));
			Matcher rights = Pattern.compile("```\\nACL SETUSER guard .*?```", Pattern.DOTALL).matcher(text);
			assertThat(rights.find()).isTrue();
			return Arrays.stream(rights.group().split("\\s+"))
				.filter((word) -> word.startsWith("+"))
				.map((word) -> word.substring(1))
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void giveRights(Stream<String> commands) {
		List<String> words = Stream.concat(Stream.of("ACL", "SETUSER", "guard", "reset", "on", ">secret",
				"~bloom-guard:*", "resetchannels", "&bloom-guard:mirrors*"), commands.map((command) -> "+" + command))
			.toList();
		assertThat(redis.command(words.toArray(String[]::new))).isEqualTo("OK");
	}

	private static GuardApplication start(Keys keys) {
		return GuardApplication.start(redis, keys, "spring.data.redis.username=guard",
				"spring.data.redis.password=secret", "bloom-guard.timeout=2s",
				"bloom-guard.filters.products.mirror.enabled=true");
	}

	@Test
	void documentedRightsAreEnoughForEverything() {
		giveRights(documented().stream());
		Keys keys = new Keys("products", 100);
		try (GuardApplication application = start(keys)) {
			application.awaitReady();
			BloomGuard guard = application.guard();
			guard.add("products", "new");
			assertThat(guard.mightContain("products", "new")).isTrue();
			assertThat(guard.mightContain("products", "absent")).isFalse();
			Awaitility.await().until(() -> mirrorOf(application).state() == State.ANSWERING);
			guard.get("products", 50, () -> null);
			Awaitility.await().until(() -> !redis.keys("bloom-guard:{products}:empty:50").isEmpty());
			assertThat(guard.get("products", 50, () -> "found")).isNull();
			guard.rebuild("products").join();
			assertThat(application.products().fillLevel().measure().join().occupancy().insertions()).isBetween(95L,
					105L);
		}
		// Redisson looks for a cluster by asking for two keys, and does not mind
		assertThat(redis.command("ACL", "LOG").split("\nobject\n")).as("what was denied").hasSizeLessThanOrEqualTo(2);
		assertThat(redis.command("ACL", "LOG")).contains("\nobject\ntest1\n");
	}

	static List<String> rightsOfScripts() {
		return documented().stream()
			.filter((right) -> !OF_THE_CLIENT.contains(right) && !OF_MIRRORS.contains(right))
			.collect(Collectors.toList());
	}

	@ParameterizedTest
	@MethodSource("rightsOfScripts")
	void missingRightIsNamedBeforeAnythingIsDone(String missing) {
		giveRights(documented().stream().filter((right) -> !right.equals(missing)));
		RedisControlStore store = store();
		assertThatException().isThrownBy(() -> store.refresh(Evidence.NONE).join())
			.havingCause()
			.isInstanceOf(RedisRefusedException.class)
			.withMessageEndingWith("may not run " + missing);
		giveRights(documented().stream());
		assertThat(store.refresh(Evidence.NONE).join().epoch()).isZero();
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void rightThatIsTakenAwayIsNamed() {
		giveRights(documented().stream());
		RedisControlStore store = store();
		store.refresh(Evidence.NONE).join();
		giveRights(documented().stream().filter((right) -> !right.equals("info")));
		assertThatException().isThrownBy(() -> store.refresh(Evidence.NONE).join())
			.withStackTraceContaining("may not run info");
		giveRights(documented().stream());
		store.refresh(Evidence.NONE).join();
	}

	private static RedisControlStore store() {
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), new RedisKeys("bloom-guard", "products"),
				new FilterSettingsBuilder().build(), Origin.of("origin"),
				new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "bloom-guard"), new BitWrites(),
				Duration.ofSeconds(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { "publish", "subscribe" })
	void mirrorWhoseUserLacksARightIsNotMadeAndSaysWhy(String missing, CapturedOutput output) {
		giveRights(documented().stream().filter((right) -> !right.equals(missing)));
		try (GuardApplication application = start(new Keys("products", 100))) {
			application.awaitReady();
			Awaitility.await().untilAsserted(() -> assertThat(mirrorOf(application).problem()).contains(missing));
			assertThat(mirrorOf(application).state()).isEqualTo(State.NONE);
			assertThat(output).contains(missing);
			assertThat(application.guard().mightContain("products", "absent")).isFalse();
		}
	}

	private static MirrorStatus mirrorOf(GuardApplication application) {
		return application.products().filter().mirrorStatus();
	}

	@Test
	void filterWhoseUserLacksARightIsUnreachableAndSaysWhy(CapturedOutput output) {
		giveRights(documented().stream().filter((right) -> !right.equals("bitfield_ro")));
		try (GuardApplication application = start(new Keys("products", 100))) {
			application.awaitState(FilterState.UNREACHABLE);
			assertThat(application.guard().mightContain("products", "absent")).isTrue();
			assertThat(output).contains("'products' is UNREACHABLE", "may not run bitfield_ro");
			giveRights(documented().stream());
			application.awaitReady();
		}
	}

}
