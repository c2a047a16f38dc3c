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

package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.testsupport.TcpProxy;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A primary, behind a proxy that clients connect to, and a replica, whose link to the
 * primary is another proxy.
 */
final class FailoverRedis implements AutoCloseable {

	private final boolean withModule;

	private final TcpProxy clients;

	private volatile TestRedis primary;

	private TcpProxy replication;

	private TestRedis replica;

	FailoverRedis() {
		this(false);
	}

	/**
	 * Start a primary and a replica.
	 * @param withModule whether they have filters of their own
	 */
	FailoverRedis(boolean withModule) {
		this.withModule = withModule;
		this.primary = startServer();
		this.clients = TcpProxy.start(this.primary.port());
		startReplica();
	}

	private void startReplica() {
		this.replication = TcpProxy.start(this.primary.port());
		this.replica = startServer();
		this.replica.command("REPLICAOF", "127.0.0.1", String.valueOf(this.replication.port()));
	}

	private TestRedis startServer() {
		return this.withModule ? TestRedis.withModule("--repl-diskless-sync-delay", "0")
				: TestRedis.start("--repl-diskless-sync-delay", "0");
	}

	/** Return the port for clients, which stays the same. */
	int port() {
		return this.clients.port();
	}

	TestRedis primary() {
		return this.primary;
	}

	/** Cut the connections of all clients. */
	void cut() {
		this.clients.cut();
	}

	/**
	 * Wait until the replica follows the primary.
	 * @param atMost for how long
	 * @return whether it does
	 */
	boolean awaitReplica(Duration atMost) {
		try {
			Awaitility.await()
				.atMost(atMost)
				.pollInterval(Duration.ofMillis(20))
				.until(() -> this.replica.command("INFO", "replication").contains("master_link_status:up"));
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	/**
	 * Make the replica the primary. Clients can't connect meanwhile. The link of the
	 * replica is up before, but what was written in the last moments may not have
	 * arrived, and is lost.
	 * @param lagMillis for how long the replica is behind for certain
	 * @param oracle is told of it before clients can connect again
	 */
	void failOver(long lagMillis, Oracle oracle) {
		long behindSince = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
		this.replication.shut();
		Faults.pause(lagMillis);
		this.clients.shut();
		this.primary.kill();
		this.replication.close();
		this.replica.command("REPLICAOF", "NO", "ONE");
		this.primary = this.replica;
		oracle.failover(behindSince, System.nanoTime());
		this.clients.open(this.primary.port());
		startReplica();
	}

	@Override
	public void close() {
		this.clients.close();
		this.replication.close();
		this.replica.close();
		this.primary.close();
	}

}
