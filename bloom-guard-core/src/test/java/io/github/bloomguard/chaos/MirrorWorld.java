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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;

/**
 * What Redis holds about the mirrors of one filter at one moment, and what is on its way
 * between instances. Immutable.
 *
 * @param log the journal, in the order in which keys were appended
 * @param holders up to where each mirror has read the journal
 * @param sent what was sent and has not arrived at the one mirror yet
 * @param arrived what has arrived, and was not received yet
 * @param confirmed the tokens of adds, and the mirrors that have confirmed them
 * @param applied up to where mirrors have told that they have read the journal
 * @param another whether another server has taken over
 */
record MirrorWorld(List<Entry> log, Map<LeaseHolder, JournalPosition> holders, Set<Message> sent, Set<Message> arrived,
		Set<Confirmation> confirmed, Map<LeaseHolder, JournalPosition> applied, boolean another) {

	static final MirrorWorld EMPTY = new MirrorWorld(List.of(), Map.of(), Set.of(), Set.of(), Set.of(), Map.of(),
			false);

	JournalPosition last() {
		return this.log.isEmpty() ? JournalPosition.START : this.log.get(this.log.size() - 1).position();
	}

	List<Entry> after(JournalPosition position) {
		return this.log.stream().filter((entry) -> entry.position().compareTo(position) > 0).toList();
	}

	MirrorWorld append(Collection<String> keys, long millis, String adder, long token, String author) {
		List<Entry> all = new ArrayList<>(this.log);
		keys.forEach((key) -> all.add(new Entry(new JournalPosition(millis, all.size() + 1), key, false, author)));
		Set<Message> messages = new HashSet<>(this.sent);
		if (!this.holders.isEmpty()) {
			messages.add(new Message(adder, token, List.copyOf(keys)));
		}
		return new MirrorWorld(List.copyOf(all), this.holders, Set.copyOf(messages), this.arrived, this.confirmed,
				this.applied, this.another);
	}

	boolean hasRemoved() {
		return this.log.stream().anyMatch(Entry::removed);
	}

	MirrorWorld remove(String key, long millis) {
		List<Entry> all = new ArrayList<>(this.log);
		all.add(new Entry(new JournalPosition(millis, all.size() + 1), key, true, ""));
		return new MirrorWorld(List.copyOf(all), this.holders, this.sent, this.arrived, this.confirmed, this.applied,
				this.another);
	}

	MirrorWorld withHolder(LeaseHolder holder, JournalPosition position) {
		Map<LeaseHolder, JournalPosition> all = new HashMap<>(this.holders);
		all.keySet().removeIf((other) -> other.instance().equals(holder.instance()));
		all.put(holder, position);
		return withHolders(all);
	}

	MirrorWorld without(LeaseHolder holder) {
		Map<LeaseHolder, JournalPosition> all = new HashMap<>(this.holders);
		all.remove(holder);
		return withHolders(all);
	}

	MirrorWorld withHolders(Map<LeaseHolder, JournalPosition> holders) {
		return new MirrorWorld(this.log, Map.copyOf(holders), this.sent, this.arrived, this.confirmed, this.applied,
				this.another);
	}

	MirrorWorld deliver(String adder) {
		Set<Message> left = new HashSet<>(this.sent);
		Set<Message> there = new HashSet<>(this.arrived);
		this.sent.stream().filter((message) -> message.adder().equals(adder)).forEach((message) -> {
			left.remove(message);
			there.add(message);
		});
		return new MirrorWorld(this.log, this.holders, Set.copyOf(left), Set.copyOf(there), this.confirmed,
				this.applied, this.another);
	}

	MirrorWorld received() {
		return new MirrorWorld(this.log, this.holders, this.sent, Set.of(), this.confirmed, this.applied, this.another);
	}

	MirrorWorld confirm(Confirmation confirmation) {
		Set<Confirmation> all = new HashSet<>(this.confirmed);
		all.add(confirmation);
		return new MirrorWorld(this.log, this.holders, this.sent, this.arrived, Set.copyOf(all), this.applied,
				this.another);
	}

	MirrorWorld apply(LeaseHolder holder, JournalPosition position) {
		Map<LeaseHolder, JournalPosition> all = new HashMap<>(this.applied);
		all.put(holder, position);
		return new MirrorWorld(this.log, this.holders, this.sent, this.arrived, this.confirmed, Map.copyOf(all),
				this.another);
	}

	/**
	 * Another server takes over, which has not heard of any mirror.
	 */
	MirrorWorld failOver() {
		return new MirrorWorld(this.log, Map.of(), this.sent, this.arrived, this.confirmed, this.applied, true);
	}

	/**
	 * An entry of the journal.
	 *
	 * @param position where it is
	 * @param key the key
	 * @param removed whether it was removed, and not added
	 * @param author the mirror that had the key before it was added, empty for none
	 */
	record Entry(JournalPosition position, String key, boolean removed, String author) {

	}

	/**
	 * Keys that were sent to mirrors.
	 *
	 * @param adder who has added them
	 * @param token which add
	 * @param keys the keys
	 */
	record Message(String adder, long token, List<String> keys) {

	}

	/**
	 * A mirror has the keys of an add.
	 *
	 * @param adder who waits for it
	 * @param token which add
	 * @param by the mirror
	 */
	record Confirmation(String adder, long token, LeaseHolder by) {

	}

}
