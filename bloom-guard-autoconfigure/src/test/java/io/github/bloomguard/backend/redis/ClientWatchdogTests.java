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
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.autoconfigure.redis.RedissonConfigCustomizer;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.instance.MirrorStatus.State;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;
import org.redisson.misc.AsyncSemaphore;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClientWatchdog} with clients that have lost a node, as Redisson does
 * that can't connect to a primary which it has just learnt of.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = "log", mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@Tag("slow")
class ClientWatchdogTests {

	private static final String CONTROL = "bloom-guard:{products}:control";

	private static final int SCAN_INTERVAL = 200;

	private static final RedissonConfigCustomizer LOOKS_OFTEN = (config) -> config.useClusterServers()
		.setScanInterval(SCAN_INTERVAL);

	@AutoClose
	private final TestRedisCluster cluster = TestRedisCluster.start(false);

	@Test
	void clientThatFindsNoNodeForSomeSlotsIsReplaced() {
		Redisson next;
		try (GuardApplication application = start(LOOKS_OFTEN); GuardApplication other = start(LOOKS_OFTEN)) {
			awaitMirror(application);
			Redisson lost = client(application);
			loseNodeOf(CONTROL, lost);
			Awaitility.await().until(() -> client(application) != lost);
			Awaitility.await().until(lost::isShutdown);
			application.awaitReady();
			awaitMirror(application);
			assertThat(application.guard().membership("products", "new")).isEqualTo(Membership.ABSENT);
			assertThat(timeOfAdd(other, "new")).as("confirmed by the mirror").isLessThan(ControlRecord.LEASE);
			assertThat(application.guard().membership("products", "new")).isEqualTo(Membership.MAYBE);
			assertThat(timeOfAdd(application, "newer")).isLessThan(ControlRecord.LEASE);
			next = client(application);
		}
		assertThat(next.isShutdown()).isTrue();
	}

	@Test
	void clientIsReplacedAsSoonAsAThreadCanBeStarted() {
		try (GuardApplication application = start(LOOKS_OFTEN)) {
			Redisson lost = client(application);
			AtomicBoolean rejected = new AtomicBoolean();
			SimpleAsyncTaskExecutor executor = application.context()
				.getBean("bloomGuardExecutor", SimpleAsyncTaskExecutor.class);
			executor.setThreadFactory((task) -> new Thread(task) {

				@Override
				public void start() {
					StackWalker.getInstance()
						.forEach((frame) -> rejected.compareAndSet(false,
								frame.getClassName().equals(ClientWatchdog.class.getName())));
					throw new OutOfMemoryError("unable to create native thread");
				}

			});
			loseNodeOf(CONTROL, lost);
			Awaitility.await().untilTrue(rejected);
			executor.setThreadFactory(Thread::new);
			assertReplaced(application, lost);
		}
	}

	@Test
	@Tag("proof")
	void clientThatDoesNotKnowTheNodeToWhichItIsRedirectedIsReplaced() {
		try (GuardApplication application = start(LOOKS_OFTEN)) {
			Redisson lost = client(application);
			ConnectionManager connections = connections(lost);
			MasterSlaveEntry node = nodeOf(CONTROL, lost);
			MasterSlaveEntry other = connections.getEntrySet()
				.stream()
				.filter((entry) -> entry != node)
				.findAny()
				.orElseThrow();
			replaceNode(node, other, lost);
			Map<?, ?> nodes = (Map<?, ?>) ReflectionTestUtils.getField(connections, "client2entry");
			assertThat(nodes).isNotNull();
			nodes.values().remove(node);
			assertReplaced(application, lost);
		}
	}

	@Test
	@Tag("proof")
	void clientThatKeepsANodeToWhichItDoesNotConnectIsReplaced() {
		try (GuardApplication application = start(LOOKS_OFTEN)) {
			Redisson lost = client(application);
			nodeOf(CONTROL, lost).getClient().shutdown();
			assertReplaced(application, lost);
		}
	}

	@Test
	@ResourceLock("log")
	void clientThatHasLostItsConnectionsToANodeIsReplaced() {
		try (GuardApplication application = start(LOOKS_OFTEN);
				LogLines lines = LogLines.of(CircuitBreaker.class, Level.WARN)) {
			Redisson lost = client(application);
			AsyncSemaphore free = nodeOf(CONTROL, lost).getEntry().getConnectionsHolder().getFreeConnectionsCounter();
			IntStream.range(0, 2).forEach((i) -> free.acquire().join());
			assertReplaced(application, lost);
			assertThat(lines.lines()).first().asString().contains("no connection in time");
		}
	}

	@Test
	void clientOfTheApplicationIsLeftAsItIs() {
		Config config = new Config();
		config.useClusterServers()
			.setScanInterval(SCAN_INTERVAL)
			.addNodeAddress("redis://127.0.0.1:" + this.cluster.primaryOf(CONTROL).port());
		RedissonClient client = Redisson.create(config);
		try (GuardApplication application = start(client)) {
			loseNodeOf(CONTROL, client);
			application.awaitState(FilterState.UNREACHABLE);
			assertThat(application.bean(RedisAccess.class).client()).isSameAs(client);
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.UNKNOWN);
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	@ResourceLock("log")
	@Tag("proof")
	void clientIsKeptWhileTheClusterItselfHasNoNodeForSomeSlots() {
		try (GuardApplication application = start(LOOKS_OFTEN);
				LogLines lines = LogLines.of(ClientWatchdog.class, Level.DEBUG)) {
			Redisson client = client(application);
			this.cluster.nodes().forEach((node) -> node.command("CLUSTER", "DELSLOTS", "0"));
			awaitRefusal(lines);
			this.cluster.nodes().findFirst().orElseThrow().command("CLUSTER", "ADDSLOTS", "0");
			this.cluster.awaitAgreement();
			application.awaitReady();
			assertThat(client(application)).isSameAs(client);
		}
	}

	@Test
	@ResourceLock("log")
	void clientIsKeptWhileAPrimaryIsDown() {
		try (GuardApplication application = start(LOOKS_OFTEN);
				LogLines lines = LogLines.of(ClientWatchdog.class, Level.DEBUG)) {
			Redisson client = client(application);
			TestRedis primary = this.cluster.primaryOf(CONTROL);
			primary.kill();
			awaitRefusal(lines);
			assertThat(client(application)).isSameAs(client);
			primary.restart();
			this.cluster.awaitAgreement();
			application.awaitReady();
		}
	}

	private GuardApplication start(Object bean) {
		return GuardApplication
			.start(List.of(bean, new Keys("products", 100)), this.cluster.property(), "bloom-guard.timeout=100ms",
					"bloom-guard.filters.products.mirror.enabled=true")
			.awaitReady();
	}

	private static void assertReplaced(GuardApplication application, Redisson lost) {
		application.awaitState(FilterState.UNREACHABLE);
		Awaitility.await().until(() -> client(application) != lost);
		application.awaitReady();
		assertThat(application.guard().membership("products", "new")).isEqualTo(Membership.ABSENT);
	}

	private static void awaitRefusal(LogLines lines) {
		Awaitility.await().until(() -> !lines.lines().isEmpty());
		assertThat(lines.lines()).first().isEqualTo("DEBUG The Redis Cluster can't be connected to anew");
	}

	private static void awaitMirror(GuardApplication application) {
		Awaitility.await().until(() -> application.products().filter().mirrorStatus().state() == State.ANSWERING);
	}

	private static Duration timeOfAdd(GuardApplication application, String key) {
		long begun = System.nanoTime();
		application.guard().add("products", key);
		return Duration.ofNanos(System.nanoTime() - begun);
	}

	private static Redisson client(GuardApplication application) {
		return application.bean(RedisAccess.class).client();
	}

	private static ConnectionManager connections(RedissonClient client) {
		return ((Redisson) client).getCommandExecutor().getConnectionManager();
	}

	private static void loseNodeOf(String key, RedissonClient client) {
		replaceNode(nodeOf(key, client), null, client);
	}

	private static MasterSlaveEntry nodeOf(String key, RedissonClient client) {
		ConnectionManager connections = connections(client);
		return connections.getEntry(connections.calcSlot(key));
	}

	@SuppressWarnings("unchecked")
	private static void replaceNode(MasterSlaveEntry node, @Nullable MasterSlaveEntry other, RedissonClient client) {
		AtomicReferenceArray<@Nullable MasterSlaveEntry> nodes = (AtomicReferenceArray<@Nullable MasterSlaveEntry>) ReflectionTestUtils
			.getField(connections(client), "slot2entry");
		assertThat(nodes).isNotNull();
		IntStream.range(0, nodes.length())
			.filter((slot) -> nodes.get(slot) == node)
			.forEach((slot) -> nodes.set(slot, other));
	}

}
