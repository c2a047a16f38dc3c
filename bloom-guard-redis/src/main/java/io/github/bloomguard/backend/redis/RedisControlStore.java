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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.backend.redis.ReplicationIds.Topology;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordWatch;
import io.github.bloomguard.lua.LuaFile;
import io.github.bloomguard.sentinel.EmptySentinels;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The control record as a hash, the journal as a stream, the keys added lately as a
 * sorted set, the lease as a string with a time to live, and one Lua script for each
 * step, run on the primary.
 * <p>
 * The hash has the fields {@code form}, the number of this form; {@code epoch};
 * {@code created}; {@code server}, the {@code run_id} of the server that has had every
 * write since {@code since}, the time from which the journal is complete; {@code end},
 * its last entry; {@code keep}, the time back to which it is needed; {@code changes}, a
 * number that grows with what evidence and returning origins change; for each generation
 * {@code g:<id>} with its phase, size, salt and origin, {@code begun:<id>},
 * {@code shapes:<id>} with the shapes of its keys, and {@code removed:<id>} with the
 * number of keys removed from it; for each origin {@code arrived:<origin>},
 * {@code used:<origin>} with the time when an instance of it was seen last,
 * {@code terms:<origin>} with what it tells instances that only ask,
 * {@code returned:<origin>} with the time since when that has been so without a gap,
 * {@code proven:<origin>} and {@code found:<origin>} with the numbers of keys that have
 * confirmed it, {@code complete:<origin>}, and for its {@code Doubt}
 * {@code wrong:<origin>}, {@code doubtful:<origin>}, {@code doubted:<origin>} and
 * {@code unseen:<origin>}; for each mirror {@code holder:<instance>} with its incarnation
 * and the id of the entry up to which it has read the journal; {@code mode:<application>}
 * with the mode that its filter was given at run time, and {@code mode} with that of all
 * other applications.
 * <p>
 * The journal and the keys added lately are begun anew together, which raises the epoch:
 * a client that lost a key in one of them learns it. So does a builder on another server
 * than the one in the record, where acknowledged writes may be missing: what was active
 * is retired first. Both are begun anew, too, when they take too much memory. No key is
 * lost by that if no instance builds, copies or remembers before {@code since}, which is
 * set late enough, so the epoch stays.
 */
final class RedisControlStore implements ControlStore {

	private static final Log logger = LogFactory.getLog(RedisControlStore.class);

	/**
	 * How old a decision to remove keys may be. Added keys are noted for much longer.
	 */
	private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(10);

	private static final int PAGE = 1000;

	private static final Duration NOTING = Duration.ofMinutes(1);

	static final Duration NOTING_BESIDE_RIVALS = Duration.ofSeconds(1);

	private static final String SERVER = LuaFile.read(RedisControlStore.class, "control/server");

	private final RedisKeys keys;

	private final RedisMirrorChannels mirrors;

	private final MirrorChannel channel;

	private final FilterSettings.Adding adding;

	private final Origin origin;

	private final PrimaryCommands commands;

	/**
	 * Wait as long as an add may, of which half is for another try.
	 */
	private final PrimaryCommands adds;

	private final WriteScript writes;

	private final String append;

	private final RedisRights rights;

	private final RedisRights rightsToAdd;

	private final AtomicBoolean unreported = new AtomicBoolean();

	private final FailoverDetector provenance;

	private final ReplicaConfirmation confirmation;

	private final RecordWatch watch;

	private volatile boolean rivalled = true;

	RedisControlStore(RedisAccess redis, RedisKeys keys, FilterSettings settings, Origin origin,
			RedisMirrorChannels mirrors, WriteScript writes, Duration timeout) {
		this(redis, keys, settings, origin, mirrors, writes, timeout, RecordWatch.NONE);
	}

	RedisControlStore(RedisAccess redis, RedisKeys keys, FilterSettings settings, Origin origin,
			RedisMirrorChannels mirrors, WriteScript writes, Duration timeout, RecordWatch watch) {
		this.keys = keys;
		this.watch = watch;
		this.mirrors = mirrors;
		this.channel = mirrors.of(keys.filter());
		this.adding = settings.adding();
		this.origin = origin;
		this.commands = redis.commands(timeout, 1);
		Duration half = this.adding.timeout().dividedBy(2);
		this.adds = redis.commands((half.compareTo(timeout) > 0) ? half : timeout, 1, this.adding.timeout());
		this.writes = writes;
		this.append = ControlScripts.append(writes);
		this.rightsToAdd = new RedisRights(this.commands, keys.control(), writes);
		this.rights = origin.isReader() ? RedisRights.ofReader(this.commands, keys.control()) : this.rightsToAdd;
		this.provenance = new FailoverDetector(this.commands, redis.replicationIds(), keys.control(), SERVER);
		this.confirmation = new ReplicaConfirmation(redis, keys, settings.adding().replicas(), timeout);
	}

	@Override
	public String origin() {
		return this.origin.value();
	}

	@Override
	public RecordWatch watch() {
		return this.watch;
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return explained((again) -> this.adds.list(this.keys.record(), ControlScripts.READ), this::recordReply)
			.thenApply(this::record);
	}

	@Override
	public CompletableFuture<ControlRecord> refresh(Evidence evidence) {
		if (this.origin.isReader()) {
			return this.rights
				.with(() -> reporting(evidence, (described) -> list(ControlScripts.OBSERVE, application(), described)))
				.thenApply(this::recordReply)
				.thenApply(this::record);
		}
		return this.rights
			.with(() -> explained((again) -> list(refresh(), this.origin.value(), ControlScripts.describe(evidence),
					noting(), millis(this.adding.journalRetention()), millis(this.adding.addedRetention()), memory(),
					this.origin.terms()), this::recordReply))
			.thenApply(this::record);
	}

	/**
	 * Read the record and report what a reader has found. If its user may not write that
	 * down, the owner is not told, and the reader goes on by what it knows itself.
	 */
	private CompletableFuture<List<String>> reporting(Evidence evidence,
			Function<String, CompletableFuture<List<String>>> read) {
		String described = ControlScripts.describe(evidence);
		return described.isEmpty() ? read.apply("") : read.apply(described).exceptionallyCompose((failure) -> {
			if (!(failure.getCause() instanceof RedisRefusedException)) {
				return CompletableFuture.failedFuture(failure);
			}
			if (this.unreported.compareAndSet(false, true)) {
				logger.warn(LogMessage.format(
						"The user of the guard's connection may not tell the owner of the filter '%s' that a key was"
								+ " called absent and found (%s), so only this instance believes it less",
						this.keys.filter(), failure.getCause().getMessage()));
			}
			return read.apply("");
		});
	}

	private String application() {
		return Origin.application(this.origin.value());
	}

	/**
	 * An origin that is not known yet is not noted as one that is used.
	 */
	private String refresh() {
		return this.origin.isKnown() ? ControlScripts.REFRESH : ControlScripts.READ;
	}

	@Override
	public CompletableFuture<Renewal> refresh(Evidence evidence, LeaseHolder holder, JournalPosition after) {
		if (this.origin.isReader()) {
			return this.rights
				.with(() -> reporting(evidence,
						(described) -> list(ControlScripts.OBSERVE_WITH_MIRROR, application(), described,
								holder.instance(), holder.incarnation(), after.toString(), String.valueOf(PAGE))))
				.thenApply((reply) -> new MirrorRenewalReply(this.keys.filter(), reply))
				.thenApply((reply) -> reply.renewal(record(reply)));
		}
		return this.rights
			.with(() -> explained(
					(again) -> list(ControlScripts.REFRESH_MIRROR, this.origin.value(),
							ControlScripts.describe(evidence), holder.instance(), holder.incarnation(),
							after.toString(), String.valueOf(PAGE), noting(), millis(this.adding.journalRetention()),
							millis(this.adding.addedRetention()), memory(), this.origin.terms()),
					(reply) -> new MirrorRenewalReply(this.keys.filter(), reply)))
			.thenApply((reply) -> reply.renewal(record(reply)));
	}

	/**
	 * Read the record, and once more if the cluster has moved it to another server.
	 */
	private <R extends RecordReply> CompletableFuture<R> explained(
			Function<Boolean, CompletableFuture<List<String>>> read, Function<List<String>, R> parse) {
		Topology before = this.provenance.before();
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
	public CompletableFuture<MirrorLease> acquireMirrorLease(LeaseHolder holder) {
		return list(ControlScripts.ACQUIRE_MIRROR_LEASE, holder.instance(), holder.incarnation()).thenApply((reply) -> {
			if (reply.isEmpty()) {
				throw new IllegalStateException("there is no journal");
			}
			return new MirrorLease(JournalPosition.of(reply.get(0)), Long.parseLong(reply.get(1)),
					Long.parseLong(reply.get(2)));
		});
	}

	@Override
	public CompletableFuture<Void> releaseMirrorLease(LeaseHolder holder) {
		return changed(ControlScripts.RELEASE_MIRROR_LEASE, holder.instance(), holder.incarnation())
			.thenApply((left) -> null);
	}

	@Override
	public CompletableFuture<Boolean> revokeMirrorLease(LeaseHolder holder, JournalPosition lacking) {
		return changed(ControlScripts.REVOKE_MIRROR_LEASE, holder.instance(), holder.incarnation(), lacking.toString());
	}

	@Override
	public MirrorChannel channel() {
		return this.channel;
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known) {
		return append(keys, known, new MirrorChannel.Sender(this.channel.instance(), 0), null);
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known, MirrorChannel.Sender sender,
			@Nullable LeaseHolder author) {
		List<String> names = new ArrayList<>(this.keys.record());
		names.add(this.keys.sentinel(EmptySentinels.UNCERTAIN));
		keys.forEach((key) -> names.add(this.keys.sentinel(key)));
		List<Object> arguments = new ArrayList<>();
		arguments.add(millis(this.adding.journalRetention()));
		arguments.add(millis(this.adding.addedRetention()));
		arguments.add(String.valueOf(keys.size()));
		arguments.add(this.mirrors.name());
		arguments.add(sender.instance());
		arguments.add(RedisMirrorChannels.head(this.keys.filter(), sender));
		arguments.add((author != null) ? author.incarnation() : "");
		String origin = this.origin.value();
		arguments.add(this.origin.isReader() ? "" : origin);
		arguments.add(noting());
		arguments.add(memory());
		arguments.addAll(keys);
		arguments.add(EmptySentinels.UNCERTAIN);
		for (Generation generation : known) {
			String name = this.keys.bits(generation.id());
			this.writes.arguments(name, generation.specification(), generation.elements(keys)).ifPresent((bits) -> {
				names.add(name);
				arguments.add(generation.id());
				arguments.addAll(bits);
			});
		}
		return appending(() -> this.adds.list(names, this.append, arguments.toArray())).thenApply((reply) -> {
			RecordReply appended = recordReply(reply);
			if (awaitsReplicas()) {
				this.confirmation.include(shards(appended.generations()));
			}
			return new Appended(record(appended, origin), appended.written(), appended.holders(), appended.position());
		});
	}

	/**
	 * A reader adds keys only if its application does so, and only then its user needs
	 * the rights of writers.
	 */
	private <T> CompletableFuture<T> appending(Supplier<CompletableFuture<T>> append) {
		return this.origin.isReader() ? this.rightsToAdd.with(append) : append.get();
	}

	@Override
	public CompletableFuture<Void> checkAppend() {
		return this.rightsToAdd.check();
	}

	@Override
	public CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince) {
		List<Object> arguments = new ArrayList<>(
				List.of(String.valueOf(decided), String.valueOf(addedSince), millis(LONGEST_REMOVAL),
						millis(this.adding.journalRetention()), millis(this.adding.addedRetention()), memory()));
		arguments.addAll(keys);
		return this.commands.count(this.keys.record(), ControlScripts.REMOVE, arguments.toArray());
	}

	@Override
	public boolean awaitsReplicas() {
		return this.confirmation.isNeeded();
	}

	@Override
	public CompletableFuture<ControlRecord> confirm() {
		return !awaitsReplicas() ? read()
				: this.confirmation.confirm()
					.thenApply((reply) -> record(recordReply(reply)))
					.thenCompose((record) -> record.sameServer() ? CompletableFuture.completedFuture(record) : read());
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
	public CompletableFuture<RecordState> state() {
		return explained((again) -> list(ControlScripts.READ), this::recordReply).thenApply(RecordReply::state);
	}

	@Override
	public CompletableFuture<Swap> swap(@Nullable String token, RecordState before, RecordState after) {
		return list(ControlScripts.SWAP, new RecordChange(before, after).arguments(token))
			.thenApply((reply) -> Swap.valueOf(reply.get(0)));
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return journal(after, count, "");
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count, LeaseHolder except) {
		return journal(after, count, except.incarnation());
	}

	private CompletableFuture<JournalPage> journal(String after, int count, String except) {
		return list(ControlScripts.JOURNAL, after, String.valueOf(count), except).thenApply(MirrorRenewalReply::page);
	}

	private int shards(List<Generation> generations) {
		return generations.stream()
			.mapToInt((generation) -> this.writes.shards(generation.specification()))
			.filter((count) -> count > 1)
			.max()
			.orElse(0);
	}

	private RecordReply recordReply(List<String> reply) {
		return new RecordReply(this.keys.filter(), reply);
	}

	private ControlRecord record(RecordReply reply) {
		return record(reply, this.origin.value());
	}

	private ControlRecord record(RecordReply reply, String origin) {
		ControlRecord record = this.origin.isReader() ? reply.recordFor(origin) : reply.record(origin);
		this.rivalled = record.trust().rollout().rival() > record.now() - RecordState.UNUSED.toMillis();
		return record;
	}

	/**
	 * Return at which intervals use of the origin is noted. Rivals rely on it, so it is
	 * short until it is known that there are none.
	 */
	private String noting() {
		return millis(this.rivalled ? NOTING_BESIDE_RIVALS : NOTING);
	}

	private String memory() {
		return String.valueOf(this.adding.journalMemory());
	}

	private CompletableFuture<Boolean> changed(String lua, Object... arguments) {
		return this.commands.test(this.keys.record(), lua, arguments);
	}

	private CompletableFuture<List<String>> list(String lua, Object... arguments) {
		return this.commands.list(this.keys.record(), lua, arguments);
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

}
