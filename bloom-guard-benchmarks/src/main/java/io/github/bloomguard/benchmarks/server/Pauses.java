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

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.HdrHistogram.Histogram;

/**
 * How long Redis has left a client waiting that sends a PING every half millisecond. What
 * follows a long wait is counted too: all the calls that would have been made meanwhile.
 *
 * @param waits the waits in nanoseconds
 */
public record Pauses(Histogram waits) {

	private static final long INTERVAL = Duration.ofNanos(500_000).toNanos();

	/**
	 * Begin to watch a server.
	 * @param redis the server
	 * @return what watches until it is told to end
	 */
	public static Loop watch(LocalRedis redis) {
		return watch(redis.wire());
	}

	static Loop watch(RedisWire redis) {
		Loop loop = new Loop(redis);
		loop.start();
		return loop;
	}

	/**
	 * Return the longest wait.
	 * @return milliseconds
	 */
	public double longest() {
		return this.waits.getMaxValue() / 1e6;
	}

	/**
	 * Return what 999 of 1,000 waits were shorter than.
	 * @return milliseconds
	 */
	public double p999() {
		return this.waits.getValueAtPercentile(99.9) / 1e6;
	}

	/**
	 * Sends one PING after the other.
	 */
	public static final class Loop {

		private final Histogram waits = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);

		private final RedisWire redis;

		private final Thread thread = new Thread(this::run, "ping");

		private volatile boolean ended;

		private Loop(RedisWire redis) {
			this.redis = redis;
		}

		private void start() {
			this.thread.start();
		}

		private void run() {
			while (!this.ended) {
				long sent = System.nanoTime();
				this.redis.ping();
				this.waits.recordValueWithExpectedInterval(System.nanoTime() - sent, INTERVAL);
				LockSupport.parkNanos(sent + INTERVAL - System.nanoTime());
			}
		}

		/**
		 * Stop watching.
		 * @return the pauses until now
		 */
		public Pauses end() {
			this.ended = true;
			try {
				this.thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			this.redis.close();
			return new Pauses(this.waits);
		}

	}

}
