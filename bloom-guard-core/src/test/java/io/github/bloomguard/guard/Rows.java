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

package io.github.bloomguard.guard;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a test, which calls and look-ups find: 1 to 1000, and those that a test
 * inserts behind the guard's back. What is asked for is noted before it waits for a test
 * that holds it.
 */
public class Rows implements KeySource {

	public static final int LOADED = 1000;

	private final Set<Object> rows = ConcurrentHashMap.newKeySet();

	private final Set<Object> hidden = ConcurrentHashMap.newKeySet();

	private final Set<Object> failing = ConcurrentHashMap.newKeySet();

	private final List<Object> calls = new CopyOnWriteArrayList<>();

	private final List<Object> lookUps = new CopyOnWriteArrayList<>();

	private final AtomicInteger scans = new AtomicInteger();

	private final AtomicInteger questions = new AtomicInteger();

	private volatile CountDownLatch held = new CountDownLatch(0);

	private volatile CountDownLatch heldLookUps = new CountDownLatch(0);

	private volatile boolean lookUpsFail;

	private volatile boolean dependsOnCaller;

	public Rows() {
		LongStream.rangeClosed(1, LOADED).forEach(this.rows::add);
	}

	public void insert(Object key) {
		this.rows.add(key);
	}

	public void delete(Object key) {
		this.rows.remove(key);
	}

	public void deleteAll() {
		this.rows.clear();
	}

	/**
	 * Insert a row that calls find, and the source does not.
	 */
	public void insertForCallers(Object key) {
		insert(key);
		this.hidden.add(key);
	}

	public void failFor(Object key) {
		this.failing.add(key);
	}

	/**
	 * Let calls and look-ups of other threads wait until they may go on.
	 */
	public void hold() {
		this.held = new CountDownLatch(1);
	}

	/**
	 * Let look-ups of other threads wait until they may go on, and no calls.
	 */
	public void holdLookUps() {
		this.heldLookUps = new CountDownLatch(1);
	}

	public void goOn() {
		this.held.countDown();
		this.heldLookUps.countDown();
	}

	/**
	 * Let look-ups fail, as without a spare connection, and no calls.
	 */
	public void failLookUps(boolean fail) {
		this.lookUpsFail = fail;
	}

	public void dependOnCaller() {
		this.dependsOnCaller = true;
	}

	public List<Object> calls() {
		return this.calls;
	}

	public List<Object> lookUps() {
		return this.lookUps;
	}

	/**
	 * Return how many questions the source was asked, for one key or for many.
	 */
	public int questions() {
		return this.questions.get();
	}

	public int scans() {
		return this.scans.get();
	}

	/**
	 * Do what a guarded method does.
	 */
	@Nullable Object find(Object key) {
		this.calls.add(key);
		return await(key, this.rows.contains(key), this.held) ? key : null;
	}

	/**
	 * Do what a guarded method for many keys does.
	 */
	public List<Object> findAll(List<Object> keys) {
		this.calls.add(keys);
		return keys.stream().filter((key) -> await(key, this.rows.contains(key), this.held)).toList();
	}

	@Override
	public final String filter() {
		return FilterUnderTest.NAME;
	}

	@Override
	public Stream<?> keys() {
		this.scans.incrementAndGet();
		return this.rows.stream().filter((key) -> !this.hidden.contains(key));
	}

	@Override
	public boolean dependsOnCaller() {
		return this.dependsOnCaller;
	}

	public final Optional<Boolean> lookUp(List<? extends @Nullable Object> parts) {
		Object key = (parts.size() == 1) ? parts.get(0) : parts;
		this.lookUps.add(key);
		boolean found = await(key, this.rows.contains(key) && !this.hidden.contains(key), this.held);
		if (this.lookUpsFail) {
			throw new IllegalStateException("No connection is to spare");
		}
		return Optional.of(await(key, found, this.heldLookUps));
	}

	public final void noteQuestion() {
		this.questions.incrementAndGet();
	}

	private boolean await(Object key, boolean found, CountDownLatch held) {
		try {
			held.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		if (this.failing.contains(key)) {
			throw new IllegalStateException("The database does not answer");
		}
		return found;
	}

	/**
	 * Rows whose source can look up single keys.
	 */
	public static class LookedUp extends Rows {

		@Override
		public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
			noteQuestion();
			return lookUp(key);
		}

		@Override
		public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
			noteQuestion();
			return keys.stream().map(this::lookUp).toList();
		}

	}

}
