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

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.circuit.SharedAttempt;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;

/**
 * The channels on which the instances that share a key prefix exchange messages about
 * mirrors: one for all of them, and one for each instance that waits for confirmations.
 * <p>
 * A channel belongs to no database of the server, so instances that are not in database 0
 * send added keys on a channel of their own. All else names a mirror or an add that no
 * other instance knows, and goes to the channels that are the same everywhere.
 */
final class RedisMirrorChannels {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final String ADDED = "added";

	private static final String CONFIRMED = "confirmed";

	private static final String APPLIED = "applied";

	private static final String ENDED = "ended";

	private final RedisAccess redis;

	private final String all;

	private final String added;

	private final String instance;

	private final Map<String, MirrorChannel.Receiver> receivers = new ConcurrentHashMap<>();

	private final SharedAttempt<Void> subscription = new SharedAttempt<>(this::subscribe);

	RedisMirrorChannels(RedisAccess redis, String keyPrefix) {
		this.redis = redis;
		this.all = keyPrefix + ":mirrors";
		this.added = (redis.database() == 0) ? this.all : this.all + "@" + redis.database();
		byte[] id = new byte[8];
		new SecureRandom().nextBytes(id);
		this.instance = HexFormat.of().formatHex(id);
		redis.followClient(this::listen);
	}

	String name() {
		return this.added;
	}

	static byte[] head(String filter, MirrorChannel.Sender sender) {
		return Netstrings.encode(List.of(ADDED, filter, sender.instance(), String.valueOf(sender.token())));
	}

	MirrorChannel of(String filter) {
		return new FilterChannel(filter);
	}

	private CompletableFuture<Void> subscribe() {
		return inTime(this.redis.send(() -> listen(this.redis.client()))).thenCompose((nothing) -> tryToPublish())
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(RedisFailures.translate(failure)));
	}

	private CompletableFuture<Void> listen(RedissonClient client) {
		CompletableFuture<Void> listening = CompletableFuture.completedFuture(null);
		for (String channel : channels().toList()) {
			listening = listening.thenCompose((nothing) -> listen(client, channel));
		}
		return listening;
	}

	private CompletableFuture<Void> listen(RedissonClient client, String channel) {
		return inTime(
				topic(client, channel).addListenerAsync(byte[].class, (name, message) -> receive(channel, message)));
	}

	private Stream<String> channels() {
		return Stream.of(inbox(this.instance), this.all, this.added).distinct();
	}

	private static CompletableFuture<Void> inTime(CompletionStage<?> step) {
		return step.toCompletableFuture()
			.copy()
			.orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
			.thenApply((result) -> null);
	}

	/**
	 * A mirror that could not confirm anything would hold up all adders.
	 */
	private CompletableFuture<Void> tryToPublish() {
		return inTime(publish(inbox(this.instance)));
	}

	private void unsubscribeIfIdle() {
		if (this.receivers.isEmpty() && this.subscription.reset()) {
			channels().forEach((channel) -> this.redis.send(() -> topic(channel).removeAllListenersAsync()));
		}
	}

	private CompletableFuture<Long> publish(String channel, String... parts) {
		return this.redis.send(() -> topic(channel).publishAsync(Netstrings.encode(List.of(parts))));
	}

	private RTopic topic(String channel) {
		return topic(this.redis.client(), channel);
	}

	private static RTopic topic(RedissonClient client, String channel) {
		return client.getTopic(channel, ByteArrayCodec.INSTANCE);
	}

	private String inbox(String instance) {
		return this.all + ":" + instance;
	}

	/**
	 * Pass a message on. What can't be read was not sent by an instance, and keys on
	 * another channel are those of another database.
	 */
	private void receive(String channel, byte[] message) {
		List<String> parts = Netstrings.decode(message);
		if (parts.size() < 4 || (ADDED.equals(parts.get(0)) && !channel.equals(this.added))) {
			return;
		}
		MirrorChannel.Receiver receiver = this.receivers.get(parts.get(1));
		if (receiver != null) {
			pass(parts, receiver);
		}
	}

	private static void pass(List<String> parts, MirrorChannel.Receiver receiver) {
		switch (parts.get(0)) {
			case ADDED -> receiver.added(new MirrorChannel.Sender(parts.get(2), Long.parseLong(parts.get(3))),
					parts.subList(4, parts.size()));
			case CONFIRMED -> receiver.acknowledged(Long.parseLong(parts.get(4)), holder(parts));
			case APPLIED -> receiver.applied(holder(parts), JournalPosition.of(parts.get(4)));
			case ENDED -> receiver.ended(holder(parts));
			default -> {
				// of a later version
			}
		}
	}

	private static LeaseHolder holder(List<String> parts) {
		return new LeaseHolder(parts.get(2), parts.get(3));
	}

	private final class FilterChannel implements MirrorChannel {

		private final String filter;

		FilterChannel(String filter) {
			this.filter = filter;
		}

		@Override
		public String instance() {
			return RedisMirrorChannels.this.instance;
		}

		@Override
		public CompletableFuture<Void> open(Receiver receiver) {
			RedisMirrorChannels.this.receivers.put(this.filter, receiver);
			return RedisMirrorChannels.this.subscription.get();
		}

		@Override
		public void acknowledge(Sender adder, LeaseHolder by) {
			send(inbox(adder.instance()), CONFIRMED, by, String.valueOf(adder.token()));
		}

		@Override
		public void announce(LeaseHolder holder, JournalPosition applied) {
			send(RedisMirrorChannels.this.all, APPLIED, holder, applied.toString());
		}

		@Override
		public CompletableFuture<Void> announceEnd(LeaseHolder holder) {
			return send(RedisMirrorChannels.this.all, ENDED, holder, "");
		}

		private CompletableFuture<Void> send(String channel, String kind, LeaseHolder holder, String what) {
			return publish(channel, kind, this.filter, holder.instance(), holder.incarnation(), what)
				.thenApply((receivers) -> null);
		}

		@Override
		public void close() {
			RedisMirrorChannels.this.receivers.remove(this.filter);
			unsubscribeIfIdle();
		}

	}

}
