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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.redis.Reigns.Census;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.Holder;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.MirrorFeed;
import io.github.bloomguard.generation.Proof;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.client.codec.StringCodec;

/**
 * The control record as a hash, the journal as a stream, the keys added lately as a
 * sorted set, the lease as a string with a time to live, and one Lua script for each
 * step, run on the primary.
 * <p>
 * The hash has the fields {@code epoch}; {@code created}; {@code server}, the
 * {@code run_id} of the server that has had every write since {@code since}, the time
 * from which the journal is complete; {@code keep}, the time back to which it is needed;
 * for each generation {@code g:<id>} with its phase, size, salt and origin,
 * {@code shapes:<id>} with the shapes of its keys, and {@code removed:<id>} with the
 * number of keys removed from it; and for each origin {@code used:<origin>} with the time
 * when it was asked last, {@code proven:<origin>} with the number of calls that have
 * confirmed it, and {@code refuted:<origin>} with the id of the generation that was
 * wrong; for each mirror {@code holder:<instance>} with its incarnation and the id of the
 * entry up to which it has read the journal.
 * <p>
 * The journal and the keys added lately are begun anew together, which raises the epoch:
 * whoever lost a key in one of them learns it. So does a builder on another server than
 * the one in the record, where acknowledged writes may be missing: what was active is
 * retired first.
 *
 * @since 1.0.0
 */
final class RedisControlStore implements ControlStore {

	/**
	 * How long a generation is kept that nobody asks any more: an application that is
	 * taken back to its former version finds it.
	 */
	private static final Duration UNUSED = Duration.ofHours(1);

	/**
	 * How much time may pass between the decision to remove keys and their removal. Keys
	 * count as added lately for much longer than that.
	 */
	private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(10);

	/**
	 * How many entries of the journal are read with the record.
	 */
	private static final int PAGE = 1000;

	private static final String HOLDER = "holder:";

	private static final String SERVER = """
			local function stored()
			  return redis.call('type', KEYS[1]).ok == 'hash' and redis.call('hget', KEYS[1], 'server') or ''
			end
			local function store(server)
			  redis.call('hset', KEYS[1], 'server', server)
			end
			""";

	private final RedisAccess redis;

	private final RedisKeys keys;

	private final MirrorChannel mirrors;

	private final MirrorFeed feed;

	private final BackendSettings settings;

	private final PrimaryCommands commands;

	private final ElementWrites writes;

	private final String append;

	private final RedisRights rights;

	private final Provenance provenance;

	private final BatchOptions confirmation;

	private final Duration longestConfirmation;

	/**
	 * How many shards there have been at most.
	 */
	private final AtomicInteger shards = new AtomicInteger();

	private final Confirmations<ControlRecord> confirmations = new Confirmations<>(this::awaitReplicas);

	/**
	 * Create a store.
	 * @param redis the way to Redis
	 * @param keys the names of the keys
	 * @param settings what is known of the filter
	 * @param mirrors carries messages between adders and mirrors
	 * @param writes writes added keys
	 * @param timeout the longest wait for each attempt
	 */
	RedisControlStore(RedisAccess redis, RedisKeys keys, BackendSettings settings, MirrorChannel mirrors,
			ElementWrites writes, Duration timeout) {
		this.redis = redis;
		this.keys = keys;
		this.mirrors = mirrors;
		this.feed = mirrors.feed(keys.filter());
		this.settings = settings;
		this.commands = redis.commands(timeout, 1);
		this.writes = writes;
		this.append = ControlScripts.append(writes);
		this.rights = new RedisRights(this.commands, keys.control(), writes);
		this.provenance = new Provenance(this.commands, redis.reigns(), keys.control(), SERVER);
		Duration response = timeout.multipliedBy(2);
		this.confirmation = BatchOptions.defaults()
			.sync(settings.addReplicas(), timeout)
			.responseTimeout(response.toMillis(), TimeUnit.MILLISECONDS)
			.retryAttempts(0);
		this.longestConfirmation = response.plus(RedisAccess.SLACK);
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return explained((again) -> list(ControlScripts.READ), Reply::new).thenApply(Reply::record);
	}

	@Override
	public CompletableFuture<ControlRecord> refresh(long provingCalls) {
		return this.rights.check()
			.thenCompose((given) -> explained((again) -> list(ControlScripts.REFRESH, this.settings.origin(),
					String.valueOf(again ? 0 : provingCalls)), Reply::new))
			.thenApply(Reply::record);
	}

	@Override
	public CompletableFuture<Renewal> refresh(long provingCalls, Holder holder, JournalPosition after) {
		return this.rights.check()
			.thenCompose((given) -> explained((again) -> list(ControlScripts.REFRESH_MIRROR, this.settings.origin(),
					String.valueOf(again ? 0 : provingCalls), holder.instance(), holder.incarnation(), after.toString(),
					String.valueOf(PAGE)), MirrorReply::new))
			.thenApply(MirrorReply::renewal);
	}

	/**
	 * Read the record, and once more if it was not on its server because the cluster has
	 * moved it.
	 * @param read reads it, for the first time or again
	 * @param parse makes a reply of what was read
	 */
	private <R extends Reply> CompletableFuture<R> explained(Function<Boolean, CompletableFuture<List<String>>> read,
			Function<List<String>, R> parse) {
		Census before = this.provenance.before();
		return read.apply(false).thenApply(parse).thenCompose((reply) -> {
			if (reply.isOnItsServer()) {
				this.provenance.found(reply.server(), before);
				return CompletableFuture.completedFuture(reply);
			}
			return this.provenance.explain()
				.thenCompose((moved) -> moved ? read.apply(true).thenApply(parse)
						: CompletableFuture.completedFuture(reply));
		});
	}

	@Override
	public CompletableFuture<Held> hold(Holder holder) {
		return list(ControlScripts.HOLD, holder.instance(), holder.incarnation()).thenApply((reply) -> {
			if (reply.isEmpty()) {
				throw new IllegalStateException("there is no journal");
			}
			return new Held(JournalPosition.of(reply.get(0)), Long.parseLong(reply.get(1)),
					Long.parseLong(reply.get(2)));
		});
	}

	@Override
	public CompletableFuture<Void> leave(Holder holder) {
		return changed(ControlScripts.LEAVE, holder.instance(), holder.incarnation()).thenApply((left) -> null);
	}

	@Override
	public CompletableFuture<Void> strikeOff(Holder holder, JournalPosition lacking) {
		return changed(ControlScripts.STRIKE_OFF, holder.instance(), holder.incarnation(), lacking.toString())
			.thenApply((struck) -> null);
	}

	@Override
	public MirrorFeed feed() {
		return this.feed;
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known) {
		return append(keys, known, new MirrorFeed.Sender(this.feed.instance(), 0));
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known, MirrorFeed.Sender sender) {
		List<String> names = new ArrayList<>(names());
		keys.forEach((key) -> names.add(this.keys.sentinel(key)));
		List<Object> arguments = new ArrayList<>();
		arguments.add(millis(this.settings.journalRetention()));
		arguments.add(millis(this.settings.addedRetention()));
		arguments.add(String.valueOf(keys.size()));
		arguments.add(this.commands.map(this.mirrors.name()));
		arguments.add(sender.instance());
		arguments.add(MirrorChannel.head(this.keys.filter(), sender));
		arguments.addAll(keys);
		for (Generation generation : known) {
			String name = this.keys.bits(generation.id());
			this.writes.arguments(name, generation.specification(), keys.stream().map(generation::element).toList())
				.ifPresent((bits) -> {
					names.add(name);
					arguments.add(generation.id());
					arguments.addAll(bits);
				});
		}
		return this.commands.list(names, this.append, arguments.toArray()).thenApply((reply) -> {
			Reply appended = new Reply(reply);
			if (this.settings.addReplicas() > 0) {
				this.shards.accumulateAndGet(appended.shards(), Math::max);
			}
			return new Appended(appended.record(), appended.written(), appended.holders(), appended.position());
		});
	}

	@Override
	public CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince) {
		List<Object> arguments = new ArrayList<>(
				List.of(String.valueOf(decided), String.valueOf(addedSince), millis(LONGEST_REMOVAL),
						millis(this.settings.journalRetention()), millis(this.settings.addedRetention())));
		arguments.addAll(keys);
		return this.commands.count(names(), ControlScripts.REMOVE, arguments.toArray());
	}

	@Override
	public CompletableFuture<ControlRecord> confirm() {
		return (this.settings.addReplicas() == 0) ? read() : this.confirmations.confirm()
			.thenCompose((record) -> record.sameServer() ? CompletableFuture.completedFuture(record) : read());
	}

	/**
	 * Wait where the record is and where shards are. The write in each script is what
	 * {@code WAIT} waits for. Replication keeps the order, so whoever has it has the keys
	 * too, whichever connection they were sent on.
	 */
	private CompletableFuture<ControlRecord> awaitReplicas() {
		List<String> marks = IntStream.range(0, this.shards.get()).mapToObj(this.keys::confirmed).toList();
		CompletableFuture<?>[] shards = this.redis.onePerPrimary(marks, this.keys.control())
			.stream()
			.map((mark) -> awaitReplicas(ReturnType.LONG, ControlScripts.CONFIRM_SHARDS, List.of(mark)))
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture<BatchResult<?>> record = awaitReplicas(ReturnType.LIST, ControlScripts.CONFIRM, names());
		return CompletableFuture.allOf(shards)
			.thenCombine(record, (nothing,
					result) -> new Reply(PrimaryCommands.strings((List<?>) result.getResponses().get(0))).record());
	}

	private CompletableFuture<BatchResult<?>> awaitReplicas(ReturnType type, String script, List<String> names) {
		int replicas = this.settings.addReplicas();
		return this.redis.<BatchResult<?>>sendBehind(() -> {
			RBatch batch = this.redis.client().createBatch(this.confirmation);
			batch.getScript(StringCodec.INSTANCE).evalAsync(Mode.READ_WRITE, script, type, List.copyOf(names));
			return batch.executeAsync().thenApply(Function.identity());
		}).copy().orTimeout(this.longestConfirmation.toMillis(), TimeUnit.MILLISECONDS).thenApply((result) -> {
			if (result.getSyncedSlaves() < replicas) {
				throw new IllegalStateException("Only %d of %d replicas have the keys of the filter '%s'"
					.formatted(result.getSyncedSlaves(), replicas, this.keys.filter()));
			}
			return result;
		});
	}

	@Override
	public CompletableFuture<Boolean> acquire(String token, Duration lease) {
		return changed(ControlScripts.ACQUIRE, token, millis(lease));
	}

	@Override
	public CompletableFuture<Boolean> renew(String token, Duration lease) {
		return changed(ControlScripts.RENEW, token, millis(lease));
	}

	@Override
	public CompletableFuture<Void> release(String token) {
		return changed(ControlScripts.RELEASE, token).thenApply((released) -> null);
	}

	@Override
	public CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep) {
		return settled(() -> changed(ControlScripts.BEGIN, token, generation.id(), describe(generation), millis(keep)));
	}

	/**
	 * Make a step that is not made, or gives up what there is, if the record is not on
	 * its server.
	 */
	private <T> CompletableFuture<T> settled(Supplier<CompletableFuture<T>> step) {
		return this.redis.isCluster() ? read().thenCompose((record) -> step.get()) : step.get();
	}

	@Override
	public CompletableFuture<Boolean> goLive(String token, String id, String shapes) {
		return changed(ControlScripts.GO_LIVE, token, id, shapes);
	}

	@Override
	public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
		return settled(() -> changed(ControlScripts.ACTIVATE, token, id, String.valueOf(journalSince)));
	}

	@Override
	public CompletableFuture<List<Generation>> retire(String token) {
		return list(ControlScripts.RETIRE, token, millis(UNUSED)).thenApply((reply) -> reply.isEmpty() ? List.of()
				: new Reply(reply).generations()
					.stream()
					.filter((generation) -> generation.phase() == Phase.RETIRED)
					.toList());
	}

	@Override
	public CompletableFuture<Void> drop(Collection<String> ids) {
		return changed(ControlScripts.DROP, ids.toArray()).thenApply((dropped) -> null);
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return list(ControlScripts.JOURNAL, after, String.valueOf(count)).thenApply((reply) -> {
			int afterAdded = 3 + Integer.parseInt(reply.get(1));
			return new JournalPage(List.copyOf(reply.subList(3, afterAdded)),
					Set.copyOf(reply.subList(afterAdded, reply.size())), reply.get(0));
		});
	}

	@Override
	public CompletableFuture<Optional<String>> refute(String id) {
		return this.commands.text(names(), ControlScripts.REFUTE, id).thenApply(Optional::ofNullable);
	}

	@Override
	public CompletableFuture<Void> acknowledge() {
		return changed(ControlScripts.ACKNOWLEDGE, this.settings.origin()).thenApply((acknowledged) -> null);
	}

	private CompletableFuture<Boolean> changed(String lua, Object... arguments) {
		return this.commands.test(names(), lua, arguments);
	}

	private CompletableFuture<List<String>> list(String lua, Object... arguments) {
		return this.commands.list(names(), lua, arguments);
	}

	private List<String> names() {
		return List.of(this.keys.control(), this.keys.lease(), this.keys.journal(), this.keys.added());
	}

	private static String describe(Generation generation) {
		FilterSpecification specification = generation.specification();
		return specification.expectedInsertions() + "|" + specification.falsePositiveProbability() + "|"
				+ generation.configuredInsertions() + "|" + generation.salt() + "|" + generation.origin() + "|"
				+ generation.createdAt().toEpochMilli();
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

	/**
	 * What the function {@code record} of the scripts returns: the time, whether there is
	 * a journal, the server, the number of generations that were written and their ids,
	 * and the fields of the hash with their values.
	 */
	private class Reply {

		private static final int BEFORE_IDS = 4;

		private final List<String> reply;

		private final Set<String> written;

		private final Map<String, String> fields = new LinkedHashMap<>();

		Reply(List<String> reply) {
			this.reply = reply;
			int afterIds = BEFORE_IDS + Integer.parseInt(reply.get(BEFORE_IDS - 1));
			this.written = Set.copyOf(reply.subList(BEFORE_IDS, afterIds));
			for (int i = afterIds; i < reply.size(); i += 2) {
				this.fields.put(reply.get(i), reply.get(i + 1));
			}
		}

		String server() {
			return this.reply.get(2);
		}

		/**
		 * Without a record there is nothing that another server could lack.
		 */
		boolean isOnItsServer() {
			return number("epoch", 0) == 0 || server().equals(this.fields.get("server"));
		}

		Set<String> written() {
			return this.written;
		}

		List<Holder> holders() {
			return this.fields.entrySet()
				.stream()
				.filter((field) -> field.getKey().startsWith(HOLDER))
				.map((field) -> new Holder(field.getKey().substring(HOLDER.length()),
						field.getValue().substring(0, field.getValue().indexOf('|'))))
				.toList();
		}

		JournalPosition position() {
			return JournalPosition.of(this.fields.getOrDefault(":position", ""));
		}

		ControlRecord record() {
			String origin = RedisControlStore.this.settings.origin();
			long now = Long.parseLong(this.reply.get(0));
			boolean journal = "1".equals(this.reply.get(1));
			List<Generation> generations = generations();
			return new ControlRecord(number("epoch", 0), generations,
					new Proof(number("proven:" + origin, 0), this.fields.get("refuted:" + origin),
							removed(generations, origin)),
					isOnItsServer(), journal ? number("since", 0) : 0, now, number("created", now));
		}

		private long removed(List<Generation> generations, String origin) {
			return generations.stream()
				.filter((generation) -> generation.phase() == Phase.ACTIVE && generation.origin().equals(origin))
				.mapToLong((generation) -> number("removed:" + generation.id(), 0))
				.sum();
		}

		private long number(String name, long otherwise) {
			String value = this.fields.get(name);
			return (value != null) ? Long.parseLong(value) : otherwise;
		}

		/**
		 * Return how many shards the largest generation has.
		 */
		int shards() {
			return generations().stream()
				.mapToInt((generation) -> RedisControlStore.this.writes.shards(generation.specification()))
				.filter((count) -> count > 1)
				.max()
				.orElse(0);
		}

		private List<Generation> generations() {
			return this.fields.entrySet()
				.stream()
				.filter((field) -> field.getKey().startsWith("g:"))
				.map((field) -> generation(field.getKey().substring("g:".length()), field.getValue().split("\\|")))
				.toList();
		}

		private Generation generation(String id, String[] parts) {
			FilterSpecification specification = new FilterSpecification(RedisControlStore.this.keys.filter(),
					Long.parseLong(parts[1]), Double.parseDouble(parts[2]));
			return new Generation(id, specification, Long.parseLong(parts[3]), parts[4], parts[5],
					Instant.ofEpochMilli(Long.parseLong(parts[6])), Phase.valueOf(parts[0]));
		}

	}

	/**
	 * What a holder reads: whether it is one, whether the journal goes on, the id of the
	 * last entry, the number of keys, the keys, and the record.
	 */
	private final class MirrorReply extends Reply {

		private static final int BEFORE_KEYS = 5;

		private final List<String> head;

		MirrorReply(List<String> reply) {
			super(reply.subList(afterRemoved(reply), reply.size()));
			this.head = reply.subList(0, afterRemoved(reply));
		}

		private static int afterAdded(List<String> reply) {
			return BEFORE_KEYS + Integer.parseInt(reply.get(BEFORE_KEYS - 2));
		}

		private static int afterRemoved(List<String> reply) {
			return afterAdded(reply) + Integer.parseInt(reply.get(BEFORE_KEYS - 1));
		}

		Renewal renewal() {
			int afterAdded = afterAdded(this.head);
			JournalPage page = new JournalPage(List.copyOf(this.head.subList(BEFORE_KEYS, afterAdded)),
					Set.copyOf(this.head.subList(afterAdded, this.head.size())), this.head.get(2));
			return new Renewal(record(), "1".equals(this.head.get(0)), page, "1".equals(this.head.get(1)));
		}

	}

}
