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

import java.util.List;
import java.util.Set;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.Renewal;

/**
 * Reply to the renewal of a mirror's lease, as {@link ControlScripts} describes it.
 */
final class MirrorRenewalReply extends RecordReply {

	private static final int BEFORE_PAGE = 2;

	private static final int BEFORE_KEYS = 3;

	private final List<String> head;

	MirrorRenewalReply(String filter, List<String> reply) {
		super(filter, reply.subList(afterPage(reply), reply.size()));
		this.head = reply.subList(0, afterPage(reply));
	}

	private static int afterPage(List<String> reply) {
		List<String> page = reply.subList(BEFORE_PAGE, reply.size());
		return BEFORE_PAGE + BEFORE_KEYS + count(page, 1) + count(page, 2);
	}

	static JournalPage page(List<String> page) {
		int afterAdded = BEFORE_KEYS + count(page, 1);
		return new JournalPage(List.copyOf(page.subList(BEFORE_KEYS, afterAdded)),
				Set.copyOf(page.subList(afterAdded, page.size())), page.get(0));
	}

	private static int count(List<String> page, int index) {
		return Integer.parseInt(page.get(index));
	}

	Renewal renewal(ControlRecord record) {
		return new Renewal(record, "1".equals(this.head.get(0)), page(this.head.subList(BEFORE_PAGE, this.head.size())),
				"1".equals(this.head.get(1)));
	}

}
