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

package io.github.bloomguard.changes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import io.github.bloomguard.catchup.ChangeReader;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a binary log through a client, as long as another connection holds the lease.
 * <p>
 * The time of a deletion is not taken from the log, where sessions can set it: once a
 * second the reader notes the end of the log, and what is behind that was committed
 * later.
 * <p>
 * Concurrency: the thread of the client appends what it reads, and waits while there is
 * too much of it; the thread of the feed takes it. All of that is guarded by the lock.
 */
final class MySqlReader extends BinaryLogClient.AbstractLifecycleListener implements ChangeReader, BinlogEvents.Target {

	private static final int BATCH = 1000;

	private static final int AHEAD = 20_000;

	private static final int MOST_ENDS = 1000;

	private static final long RENEWAL = TimeUnit.SECONDS.toNanos(1);

	private static final long START = TimeUnit.SECONDS.toNanos(10);

	/**
	 * A server that has nothing to send says so each second.
	 */
	private static final long SILENCE = TimeUnit.SECONDS.toNanos(10);

	private final BinaryLogClient client;

	private final MySqlLease lease;

	private final long pace;

	private final Consumer<FilePosition> lost;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Condition taken = this.lock.newCondition();

	private List<Object> added = new ArrayList<>();

	private List<Object> removed = new ArrayList<>();

	private final Deque<End> ends = new ArrayDeque<>();

	private @Nullable FilePosition file;

	private @Nullable FilePosition reached;

	private @Nullable FilePosition given;

	private @Nullable Throwable failure;

	private long since;

	private boolean closed;

	private FilePosition begun = FilePosition.NONE;

	private volatile long heardAt = System.nanoTime();

	/**
	 * Used only by the thread of the feed, as {@code givenAt} is.
	 */
	private long renewedAt = System.nanoTime() - RENEWAL;

	private long givenAt = System.nanoTime();

	MySqlReader(BinaryLogClient client, MySqlLease lease, Duration pace, Consumer<FilePosition> lost) {
		this.client = client;
		this.lost = lost;
		this.lease = lease;
		this.pace = pace.toNanos();
	}

	FilePosition open(FilePosition start) throws IOException {
		this.begun = start;
		this.client.registerLifecycleListener(this);
		this.client.registerEventListener((event) -> this.heardAt = System.nanoTime());
		this.client.setHeartbeatInterval(TimeUnit.NANOSECONDS.toMillis(RENEWAL));
		this.client.setThreadFactory((task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		});
		try {
			connect();
			return described();
		}
		catch (IOException ex) {
			disconnect();
			throw ex;
		}
	}

	private FilePosition described() throws IOException {
		this.lock.lock();
		try {
			long deadline = System.nanoTime() + START;
			while (this.file == null && this.failure == null && System.nanoTime() < deadline) {
				this.changed.awaitNanos(RENEWAL);
			}
			if (this.failure instanceof IOException refused) {
				throw refused;
			}
			if (this.file == null) {
				throw new IOException("The server sent no part of its log", this.failure);
			}
			return this.file;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void connect() throws IOException {
		try {
			this.client.connect(TimeUnit.NANOSECONDS.toMillis(START));
		}
		catch (TimeoutException ex) {
			throw new IOException(ex);
		}
	}

	@Override
	public LogPosition start() {
		return this.begun;
	}

	@Override
	public String identity() {
		return this.lease.identity();
	}

	@Override
	public Changes next() throws InterruptedException {
		if (System.nanoTime() - this.renewedAt >= RENEWAL) {
			this.renewedAt = System.nanoTime();
			BinlogPlace end = this.lease.renew();
			note(new End(this.renewedAt, end));
		}
		this.lock.lock();
		try {
			long left = this.renewedAt + RENEWAL - System.nanoTime();
			while (left > 0 && this.failure == null && !isDue()) {
				left = Math.min(this.changed.awaitNanos(isProgress() ? Math.min(left, untilGiven()) : left),
						this.renewedAt + RENEWAL - System.nanoTime());
			}
			if (this.added.size() < AHEAD && System.nanoTime() - this.heardAt > SILENCE) {
				throw new LogAccessException(new IOException("The server has sent nothing for a while"));
			}
			if (this.failure != null) {
				if (this.failure instanceof LostLogException lost) {
					this.lost.accept((this.reached != null) ? this.reached : this.begun);
					throw lost;
				}
				throw new LogAccessException(this.failure);
			}
			return take();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isDue() {
		return !this.added.isEmpty() || !this.removed.isEmpty() || (isProgress() && untilGiven() <= 0);
	}

	private boolean isProgress() {
		return this.reached != null && !this.reached.equals(this.given);
	}

	private long untilGiven() {
		return this.givenAt + this.pace - System.nanoTime();
	}

	private Changes take() {
		boolean whole = this.added.size() <= BATCH;
		List<Object> added = whole ? this.added : this.added.subList(0, BATCH);
		this.added = whole ? new ArrayList<>() : new ArrayList<>(this.added.subList(BATCH, this.added.size()));
		this.taken.signal();
		if (!whole) {
			return new Changes(added, List.of(), null, 0);
		}
		List<Object> removed = this.removed;
		this.removed = new ArrayList<>();
		FilePosition position = isProgress() ? this.reached : null;
		if (position != null) {
			this.given = this.reached;
			this.givenAt = System.nanoTime();
		}
		return new Changes(added, removed, position, this.since);
	}

	private void note(End end) {
		this.lock.lock();
		try {
			this.ends.add(end);
			if (this.ends.size() > MOST_ENDS) {
				this.ends.remove();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void begin(FilePosition file) {
		this.lock.lock();
		try {
			this.file = file;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void add(List<Object> keys) {
		this.lock.lock();
		try {
			while (this.added.size() >= AHEAD && !this.closed) {
				this.taken.awaitUninterruptibly();
				this.heardAt = System.nanoTime();
			}
			this.added.addAll(keys);
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void remove(List<Object> keys) {
		this.lock.lock();
		try {
			End before = before();
			if (before != null) {
				this.since = this.removed.isEmpty() ? before.at() : this.since;
				this.removed.addAll(keys);
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the last end of the log that was noted before the transaction that is being
	 * read was committed; {@code null} if none was.
	 */
	private @Nullable End before() {
		End before = null;
		while (this.reached != null && !this.ends.isEmpty() && this.ends.element().isReachedBy(this.reached)) {
			before = this.ends.remove();
		}
		if (before != null) {
			this.ends.addFirst(before);
		}
		return before;
	}

	@Override
	public void reach(FilePosition position) {
		this.lock.lock();
		try {
			if (!position.equals(this.reached)) {
				this.reached = position;
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void fail(Throwable failure) {
		this.lock.lock();
		try {
			this.failure = (this.failure != null) ? this.failure : failure;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onCommunicationFailure(BinaryLogClient client, Exception failure) {
		fail(failure);
	}

	@Override
	public void onEventDeserializationFailure(BinaryLogClient client, Exception failure) {
		fail(new LostLogException("it has an event that can't be read: " + failure));
	}

	@Override
	public void onDisconnect(BinaryLogClient client) {
		fail(new IOException("The connection to the log is closed"));
	}

	@Override
	public void close() {
		this.lease.close();
		disconnect();
	}

	/**
	 * Stop reading, but keep the lease.
	 */
	void disconnect() {
		fail(new IOException("The reader is closed"));
		this.lock.lock();
		try {
			this.closed = true;
			this.taken.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		try {
			this.client.disconnect();
		}
		catch (IOException ex) {
			// it is of no use any more
		}
	}

	/**
	 * The end of the log at a {@link System#nanoTime()}, or a moment after it.
	 */
	private record End(long at, BinlogPlace place) {

		boolean isReachedBy(FilePosition reached) {
			return this.place.isReachedBy(reached);
		}

	}

}
