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
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A port of the loopback interface behind which servers may take turns, and whose
 * connections a test may cut or slow down.
 */
public final class TcpProxy implements AutoCloseable {

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile int target;

	private volatile boolean shut;

	private volatile long longestDelay;

	private TcpProxy(int target) {
		this.target = target;
		try {
			this.server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start a proxy.
	 * @param target the port to which connections are forwarded
	 * @return the proxy, which accepts connections
	 */
	public static TcpProxy start(int target) {
		TcpProxy proxy = new TcpProxy(target);
		run("proxy " + proxy.port(), proxy::accept);
		return proxy;
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** Cut all connections. New ones are accepted. */
	public void cut() {
		this.sockets.forEach(TcpProxy::close);
	}

	/**
	 * Hold up what is sent, each connection and direction by itself, so that what is sent
	 * on one may overtake what was sent earlier on another.
	 * @param atMost for how long at most, zero for not at all
	 */
	public void delay(Duration atMost) {
		this.longestDelay = atMost.toNanos();
	}

	/** Cut all connections and accept no new ones. */
	public void shut() {
		this.shut = true;
		cut();
	}

	/**
	 * Accept connections again.
	 * @param target the port to which they are forwarded
	 */
	public void open(int target) {
		this.target = target;
		this.shut = false;
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				if (this.shut) {
					close(client);
				}
				else {
					connect(client);
				}
			}
		}
		catch (IOException ex) {
			cut();
		}
	}

	private void connect(Socket client) {
		Socket upstream = new Socket();
		try {
			upstream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.target), 2_000);
			upstream.setTcpNoDelay(true);
			client.setTcpNoDelay(true);
			this.sockets.add(client);
			this.sockets.add(upstream);
			run("proxy to " + this.target, () -> pump(client, upstream));
			run("proxy from " + this.target, () -> pump(upstream, client));
			if (this.shut) {
				cut();
			}
		}
		catch (IOException ex) {
			close(client);
			close(upstream);
		}
	}

	private void pump(Socket from, Socket to) {
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[16 * 1024];
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				long delay = this.longestDelay;
				if (delay > 0) {
					LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(delay));
				}
				out.write(buffer, 0, read);
			}
		}
		catch (IOException ex) {
			// cut
		}
		finally {
			close(from);
			close(to);
			this.sockets.remove(from);
			this.sockets.remove(to);
		}
	}

	private static void run(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// is closed
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		cut();
	}

}
