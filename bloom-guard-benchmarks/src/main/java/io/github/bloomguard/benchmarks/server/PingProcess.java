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

package io.github.bloomguard.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Sends PING to a server from a process of its own, so that the pauses of this one, such
 * as those to collect garbage, are not taken for those of Redis.
 */
public final class PingProcess {

	private final Process process;

	private PingProcess(Process process) {
		this.process = process;
	}

	/**
	 * Begin to watch a server.
	 * @param redis the server
	 * @return the process
	 */
	public static PingProcess watch(LocalRedis redis) {
		try {
			return new PingProcess(
					new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
							"-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
							PingProcess.class.getName(), String.valueOf(redis.port()))
						.redirectError(ProcessBuilder.Redirect.INHERIT)
						.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Stop watching.
	 * @return the milliseconds that 999 of 1,000 waits were shorter than, and those of
	 * the longest wait
	 */
	public double[] end() {
		try {
			this.process.getOutputStream().close();
			String[] waits = new String(this.process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip()
				.split(" ");
			this.process.waitFor(10, TimeUnit.SECONDS);
			return new double[] { Double.parseDouble(waits[0]), Double.parseDouble(waits[1]) };
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Be that process.
	 * @param args the port
	 * @throws IOException if what this prints is not read
	 */
	public static void main(String[] args) throws IOException {
		Pauses.Loop loop = Pauses.watch(new RedisWire(Integer.parseInt(args[0])));
		while (System.in.read() >= 0) {
			// until its parent wants to know
		}
		Pauses pauses = loop.end();
		System.out.println(pauses.p999() + " " + pauses.longest());
	}

}
