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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.RunningBloomGuard;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for applications that ask a filter of another one in Redis, as a user that has
 * the documented rights of a reader.
 */
class ReaderInRedisTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final Executor executor = Executors.newCachedThreadPool();

	private final List<RedissonClient> clients = new ArrayList<>();

	private final RedissonClient observer = RedissonClients.of(redis);

	private RunningBloomGuard owner;

	@BeforeEach
	void load() throws IOException {
		redis.reset();
		grant("reader");
		BloomGuardBuilder builder = builder("guard").application("catalogue");
		builder.filter("products", 1000)
			.keys("product.id", () -> LongStream.rangeClosed(1, 100).boxed())
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 0, 0);
		this.owner = builder.start();
		this.owner.loaded().join();
	}

	@AfterEach
	void stop() {
		this.owner.close();
		this.clients.forEach(RedissonClient::shutdown);
		this.observer.shutdown();
	}

	private static void grant(String user) throws IOException {
		String text = Files.readString(Path.of("../docs/guides/redis.md"));
		for (String name : List.of("guard", user)) {
			Matcher rights = Pattern.compile("```\\n(ACL SETUSER " + name + " .*?)```", Pattern.DOTALL).matcher(text);
			assertThat(rights.find()).as("rights of %s", name).isTrue();
			List<String> words = new ArrayList<>(List.of(rights.group(1).trim().split("\\s+")));
			words.addAll(3, List.of("reset", "resetchannels"));
			assertThat(redis.command(words.toArray(String[]::new))).isEqualTo("OK");
		}
	}

	private BloomGuardBuilder builder(String user) {
		RedissonClient client = RedissonClients.of(redis, (config) -> config.setUsername(user).setPassword("secret"));
		this.clients.add(client);
		RedisAccess access = new RedisAccess(client, this.executor);
		return new BloomGuardBuilder(new RedisBackend(() -> access, "bloom-guard", Duration.ofSeconds(1)))
			.timeout(Duration.ofSeconds(1));
	}

	private RunningBloomGuard reader() {
		BloomGuardBuilder builder = builder("reader").application("orders");
		builder.reader("products", "catalogue").verification(Mode.BEHIND, 1000);
		return builder.start();
	}

	@Test
	void mirrorOfAReaderAnswersAndHasWhatTheOwnerAdds() {
		try (RunningBloomGuard reader = reader()) {
			awaitMirror(reader);
			assertThat(reader.guard().mightContain("products", 1L)).isTrue();
			assertThat(reader.guard().mightContain("products", -1L)).isFalse();
			for (long key = 1000; key < 1050; key++) {
				this.owner.guard().add("products", key);
				assertThat(reader.guard().mightContain("products", key)).isTrue();
			}
		}
	}

	@Test
	void readerWritesNothingButThatItHasAMirror() {
		Set<String> keys = Set.copyOf(redis.keys("*"));
		Set<String> fields = record().keySet();
		try (RunningBloomGuard reader = reader()) {
			awaitMirror(reader);
			LongStream.rangeClosed(1, 100).forEach((key) -> reader.guard().get("products", -key, () -> null));
			assertThat(redis.keys("*")).containsExactlyInAnyOrderElementsOf(keys);
			assertThat(record().keySet()).filteredOn((field) -> !field.startsWith("holder:"))
				.containsExactlyInAnyOrderElementsOf(
						fields.stream().filter((field) -> !field.startsWith("holder:")).toList());
		}
		assertThat(record().keySet()).filteredOn((field) -> field.startsWith("used:")).hasSize(1);
	}

	@Test
	void ownerKnowsHowManyReadersHaveAMirror() {
		try (RunningBloomGuard reader = reader()) {
			awaitMirror(reader);
			Awaitility.await().untilAsserted(() -> assertThat(readers()).isOne());
		}
		Awaitility.await().untilAsserted(() -> assertThat(readers()).isZero());
	}

	private int readers() {
		ControlRecord record = filter(this.owner).filter().record();
		return (record != null) ? record.readers() : -1;
	}

	@Test
	void rowThatAReaderFindsIsReportedToTheOwner() {
		try (RunningBloomGuard reader = reader()) {
			awaitReady(reader);
			assertThat(reader.guard().<String, RuntimeException>get("products", 7000L, () -> "a row")).isNull();
			Awaitility.await()
				.untilAsserted(() -> assertThat(filter(this.owner).filter().standing().beforeUntil()).isNotNull());
			assertThat(reader.guard().<String, RuntimeException>get("products", 7001L, () -> "a row"))
				.isEqualTo("a row");
		}
	}

	@Test
	void readerWithoutTheRightsOfAWriterCannotAdd() {
		try (RunningBloomGuard reader = reader()) {
			awaitReady(reader);
			assertThatThrownBy(() -> reader.guard().add("products", 7000L)).isInstanceOf(KeyNotAddedException.class)
				.rootCause()
				.hasMessageContaining("may not run");
			assertThat(this.owner.guard().mightContain("products", 7000L)).isFalse();
			assertThat(filter(reader).filter().state()).isEqualTo(FilterState.READY);
		}
	}

	@Test
	void recordThatIsLostIsNotMadeByAReader() {
		try (RunningBloomGuard reader = reader()) {
			awaitMirror(reader);
			this.owner.close();
			redis.command("FLUSHALL");
			Awaitility.await().untilAsserted(() -> {
				assertThat(filter(reader).filter().state()).isEqualTo(FilterState.LOST);
				assertThat(filter(reader).filter().stateChange().reason()).contains("waits for its owner");
			});
			assertThat(redis.keys("*")).isEmpty();
		}
	}

	private void awaitReady(RunningBloomGuard reader) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(filter(reader).filter().state()).isEqualTo(FilterState.READY));
	}

	private void awaitMirror(RunningBloomGuard reader) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(filter(reader).filter().mirrorStatus().state())
				.isEqualTo(MirrorStatus.State.ANSWERING));
	}

	private static ManagedFilter filter(RunningBloomGuard guard) {
		return guard.filters().iterator().next();
	}

	private Map<String, String> record() {
		return this.observer.<String, String>getMap("bloom-guard:{products}:control", StringCodec.INSTANCE)
			.readAllMap();
	}

}
