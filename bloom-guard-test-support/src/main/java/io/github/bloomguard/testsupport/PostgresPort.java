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

package io.github.bloomguard.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port for PostgreSQL.
 */
final class PostgresPort {

	private static final int FIRST = 20_000;

	/**
	 * Behind it are the ports that systems give away, to clients and to the other servers
	 * of the tests.
	 */
	private static final int LAST = 32_767;

	private PostgresPort() {
	}

	/**
	 * Return a free port that nobody else takes in the seconds between this and the start
	 * of the server: its driver would wait for ever for the answer of another one.
	 */
	static int choose() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// somebody has it
			}
		}
	}

}
