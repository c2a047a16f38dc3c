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

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A bare connection to Redis, so that asking the server how it is costs it next to
 * nothing and waits for no client's threads.
 */
public final class RedisWire implements AutoCloseable {

	private final Socket socket;

	private final InputStream in;

	private final OutputStream out;

	RedisWire(int port) {
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
			this.socket.setTcpNoDelay(true);
			this.in = new BufferedInputStream(this.socket.getInputStream());
			this.out = this.socket.getOutputStream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Send PING and wait for the answer.
	 */
	public void ping() {
		send("PING");
	}

	/**
	 * Stop the server's process, as if the machine had frozen. It takes the kernel a
	 * moment, so the next command may still be answered.
	 * @return lets it go on
	 */
	public Runnable freeze() {
		String process = infoText("server", "process_id");
		signal("STOP", process);
		return () -> signal("CONT", process);
	}

	private static void signal(String signal, String process) {
		try {
			int status = new ProcessBuilder("kill", "-" + signal, process).inheritIO().start().waitFor();
			if (status != 0) {
				throw new IllegalStateException("kill -" + signal + " failed");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Make the server a replica, and wait until it has what there is.
	 * @param primary its primary
	 */
	public void follow(LocalRedis primary) {
		send("REPLICAOF 127.0.0.1 " + primary.port());
		await(() -> "up".equals(infoText("replication", "master_link_status")));
	}

	/**
	 * Let the server use memory, and give it free again. The server keeps it if its
	 * allocator does, which {@code JE_MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1} in
	 * its environment says.
	 * @param bytes how much memory
	 */
	public void useMemory(long bytes) {
		int string = 16 << 20;
		send("DEBUG POPULATE " + (bytes + string - 1) / string + " used " + string);
		send("FLUSHALL ASYNC");
		await(() -> info("memory", "lazyfree_pending_objects") == 0);
	}

	private static void await(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

	/**
	 * Return one figure of the command INFO.
	 * @param section the section
	 * @param field the name of the figure
	 * @return the figure
	 */
	public double info(String section, String field) {
		return Double.parseDouble(infoText(section, field));
	}

	/**
	 * Return how often a command was called, also by scripts.
	 * @param command its name
	 * @return the number
	 */
	public double calls(String command) {
		String field = "cmdstat_" + command + ":calls=";
		return send("INFO commandstats").lines()
			.filter((line) -> line.startsWith(field))
			.mapToDouble((line) -> Double.parseDouble(line.substring(field.length(), line.indexOf(','))))
			.findFirst()
			.orElse(0);
	}

	/**
	 * Return one line of the command INFO.
	 * @param section the section
	 * @param field the name
	 * @return what follows the name
	 */
	public String infoText(String section, String field) {
		return send("INFO " + section).lines()
			.filter((line) -> line.startsWith(field + ":"))
			.map((line) -> line.substring(field.length() + 1).strip())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("INFO " + section + " has no " + field));
	}

	/**
	 * Return how much memory is in use, without the buffers of connections: these grow
	 * and shrink with the load and are not what a call leaves behind.
	 * @return the memory in bytes
	 */
	public long memoryOfData() {
		long connections = send("CLIENT LIST").lines()
			.flatMap((client) -> Stream.of(client.split(" ")))
			.filter((field) -> field.startsWith("tot-mem="))
			.mapToLong((field) -> Long.parseLong(field.substring("tot-mem=".length())))
			.sum();
		return (long) info("memory", "used_memory") - connections;
	}

	/**
	 * Let Redis note all commands that take a millisecond or more, from now on.
	 */
	public void watchCommands() {
		send("CONFIG SET latency-monitor-threshold 1");
		send("LATENCY RESET");
	}

	/**
	 * Return how long the longest command took that was noted.
	 * @return milliseconds, 0 if none was noted
	 */
	public long longestCommand() {
		List<String> events = send("LATENCY LATEST").lines().toList();
		return IntStream.range(0, events.size())
			.filter((i) -> events.get(i).endsWith("command"))
			.mapToLong((i) -> Long.parseLong(events.get(i + 3)))
			.max()
			.orElse(0);
	}

	private String send(String command) {
		try {
			this.out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			return reply();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Read a reply. The elements of an array become lines.
	 */
	private String reply() throws IOException {
		String reply = line();
		String rest = reply.substring(1);
		switch (reply.charAt(0)) {
			case '$' -> {
				byte[] bulk = this.in.readNBytes(Integer.parseInt(rest));
				line();
				return new String(bulk, StandardCharsets.UTF_8);
			}
			case '*' -> {
				StringJoiner elements = new StringJoiner("\n");
				for (int i = Integer.parseInt(rest); i > 0; i--) {
					elements.add(reply());
				}
				return elements.toString();
			}
			case '-' -> throw new IOException(rest);
			default -> {
				return rest;
			}
		}
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int c = this.in.read(); c != '\n'; c = this.in.read()) {
			if (c < 0) {
				throw new EOFException("Redis has closed the connection");
			}
			line.append((char) c);
		}
		return line.toString().strip();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
