package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import org.redisson.api.BatchOptions;
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
 * and for each generation {@code g:<id>} with its phase, expected insertions,
 * probability, salt and key format.
 * <p>
 * The journal and the keys added lately are begun anew together, which raises the epoch:
 * whoever lost a key in one of them learns it. So does a builder on another server than
 * the one in the record, where acknowledged writes may be missing: what was active is
 * retired first.
 *
 * @since 0.1.0
 */
public final class RedisControlStore implements ControlStore {

	private final RedisAccess redis;

	private final FilterKeys keys;

	private final PrimaryCommands commands;

	private final RedisRights rights;

	private final Duration journalRetention;

	private final Duration addedRetention;

	private final int replicas;

	private final BatchOptions confirmation;

	/**
	 * Create a store.
	 * @param redis the way to Redis
	 * @param keys the names of the keys
	 * @param timeout the longest wait for each attempt
	 * @param journalRetention how long added keys are kept in the journal while nothing
	 * is built
	 * @param addedRetention how long a key counts as added lately
	 * @param replicas how many replicas must have an added key before adding it succeeds
	 */
	public RedisControlStore(RedisAccess redis, FilterKeys keys, Duration timeout, Duration journalRetention,
			Duration addedRetention, int replicas) {
		this.redis = redis;
		this.keys = keys;
		this.commands = redis.commands(timeout, 1);
		this.rights = new RedisRights(this.commands, keys.control());
		this.journalRetention = journalRetention;
		this.addedRetention = addedRetention;
		this.replicas = replicas;
		this.confirmation = BatchOptions.defaults()
			.sync(replicas, timeout)
			.responseTimeout(timeout.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS)
			.retryAttempts(0);
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return this.rights.check().thenCompose((given) -> list(ControlScripts.READ)).thenApply(this::toRecord);
	}

	@Override
	public CompletableFuture<ControlRecord> append(Collection<String> keys) {
		Stream<String> retentions = Stream.of(millis(this.journalRetention), millis(this.addedRetention));
		return list(ControlScripts.APPEND, Stream.concat(retentions, keys.stream()).toArray())
			.thenApply(this::toRecord);
	}

	/**
	 * The write in this script is what {@code WAIT} waits for. Replication keeps the
	 * order, so whoever has it has the keys too, whichever connection they were sent on.
	 */
	@Override
	public CompletableFuture<ControlRecord> confirm() {
		if (this.replicas == 0) {
			return read();
		}
		return this.redis.send(() -> {
			RBatch batch = this.redis.client().createBatch(this.confirmation);
			batch.getScript(StringCodec.INSTANCE)
				.evalAsync(Mode.READ_WRITE, ControlScripts.CONFIRM, ReturnType.LIST, List.copyOf(names()));
			return batch.executeAsync();
		}).thenApply((result) -> {
			if (result.getSyncedSlaves() < this.replicas) {
				throw new IllegalStateException("Only %d of %d replicas have the keys of the filter '%s'"
					.formatted(result.getSyncedSlaves(), this.replicas, this.keys.filter()));
			}
			return toRecord(PrimaryCommands.strings((List<?>) result.getResponses().get(0)));
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
		return changed(ControlScripts.BEGIN, token, generation.id(), describe(generation), millis(keep));
	}

	@Override
	public CompletableFuture<Boolean> goLive(String token, String id) {
		return changed(ControlScripts.GO_LIVE, token, id);
	}

	@Override
	public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
		return changed(ControlScripts.ACTIVATE, token, id, String.valueOf(journalSince));
	}

	@Override
	public CompletableFuture<Void> drop(Collection<String> ids) {
		return changed(ControlScripts.DROP, ids.toArray()).thenApply((dropped) -> null);
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return list(ControlScripts.JOURNAL, after, String.valueOf(count))
			.thenApply((reply) -> new JournalPage(List.copyOf(reply.subList(1, reply.size())), reply.get(0)));
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

	private ControlRecord toRecord(List<String> reply) {
		long now = Long.parseLong(reply.get(0));
		boolean journal = "1".equals(reply.get(1));
		String server = reply.get(2);
		long epoch = 0;
		long since = 0;
		long created = now;
		String home = server;
		List<Generation> generations = new ArrayList<>();
		for (int i = 3; i < reply.size(); i += 2) {
			String value = reply.get(i + 1);
			switch (reply.get(i)) {
				case "epoch" -> epoch = Long.parseLong(value);
				case "since" -> since = Long.parseLong(value);
				case "created" -> created = Long.parseLong(value);
				case "server" -> home = value;
				default -> {
					if (reply.get(i).startsWith("g:")) {
						generations.add(generation(reply.get(i).substring(2), value.split("\\|")));
					}
				}
			}
		}
		return new ControlRecord(epoch, List.copyOf(generations), server.isEmpty() || server.equals(home),
				journal ? since : 0, now, created);
	}

	private Generation generation(String id, String[] parts) {
		FilterSpecification specification = new FilterSpecification(this.keys.filter(), Long.parseLong(parts[1]),
				Double.parseDouble(parts[2]));
		return new Generation(id, specification, Long.parseLong(parts[3]), parts[4], Integer.parseInt(parts[5]),
				Instant.ofEpochMilli(Long.parseLong(parts[6])), Phase.valueOf(parts[0]));
	}

	private static String describe(Generation generation) {
		FilterSpecification specification = generation.specification();
		return specification.expectedInsertions() + "|" + specification.falsePositiveProbability() + "|"
				+ generation.configuredInsertions() + "|" + generation.salt() + "|" + generation.keyFormat() + "|"
				+ generation.createdAt().toEpochMilli();
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

}
