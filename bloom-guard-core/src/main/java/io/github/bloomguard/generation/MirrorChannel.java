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

package io.github.bloomguard.generation;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Carries messages about one filter between the instances that hold mirrors and those
 * that add keys. A message may get lost, come late, twice, or before one that was sent
 * earlier, so a waiter does not rely on one alone. Nothing here waits.
 */
public interface MirrorChannel {

	MirrorChannel NONE = new MirrorChannel() {

		@Override
		public String instance() {
			return "";
		}

		@Override
		public CompletableFuture<Void> open(Receiver receiver) {
			return CompletableFuture.failedFuture(new UnsupportedOperationException("this server has no mirrors"));
		}

		@Override
		public void acknowledge(Sender adder, LeaseHolder by) {
		}

		@Override
		public void announce(LeaseHolder holder, JournalPosition applied) {
		}

		@Override
		public CompletableFuture<Void> announceEnd(LeaseHolder holder) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Return the name of this instance, different from that of all others, also of those
	 * before a restart.
	 */
	String instance();

	/**
	 * Receive messages from now on. May be called again.
	 * @param receiver takes the messages, and must be quick
	 * @return completed when messages arrive; exceptionally if they can't
	 */
	CompletableFuture<Void> open(Receiver receiver);

	/**
	 * Inform an adder that a mirror has its keys.
	 */
	void acknowledge(Sender adder, LeaseHolder by);

	/**
	 * Inform all adders that a mirror has everything up to a position.
	 */
	void announce(LeaseHolder holder, JournalPosition applied);

	/**
	 * Inform all adders that a mirror will never answer again, once the record does not
	 * list it.
	 * @return completed when it is sent
	 */
	CompletableFuture<Void> announceEnd(LeaseHolder holder);

	/**
	 * Receive no messages any more.
	 */
	void close();

	/**
	 * The add that waits for the confirmation of keys.
	 *
	 * @param token tells this add from all others of the instance
	 */
	record Sender(String instance, long token) {

	}

	/**
	 * Takes messages.
	 */
	interface Receiver {

		/**
		 * Keys, in their canonical form, were appended while there was a mirror.
		 * @param adder waits until mirrors have them
		 */
		void added(Sender adder, List<String> keys);

		/**
		 * A mirror has the keys that this instance has appended under a token.
		 */
		void acknowledged(long token, LeaseHolder by);

		void applied(LeaseHolder holder, JournalPosition position);

		void ended(LeaseHolder holder);

	}

}
