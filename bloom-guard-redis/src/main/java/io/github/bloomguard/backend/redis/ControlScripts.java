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
import java.util.stream.Collectors;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.lua.LuaFile;

/**
 * The Lua scripts of the control store: each is one atomic step on the primary, and may
 * be sent again because its reply was lost. Their first keys are the control record, the
 * lease, the journal and the keys added lately.
 * <p>
 * No error of Redis is taken for an answer: what a script may not do, or can't find out,
 * makes it fail.
 */
final class ControlScripts {

	private static final String FUNCTIONS = read("run-id") + "local trust_ends, lasting = "
			+ ControlRecord.LEASE_ENDS.toMillis() + ", " + Doubt.LASTING.toMillis() + "\n" + read("control/functions");

	static final String READ = FUNCTIONS + read("control/read");

	static final String REFRESH = FUNCTIONS + read("control/note") + read("control/read");

	/**
	 * Reads the record for instances that ask the filter of another application.
	 */
	static final String OBSERVE = FUNCTIONS + read("control/report") + read("control/read");

	static final String OBSERVE_WITH_MIRROR = FUNCTIONS + read("control/report") + read("control/refresh-mirror");

	static final String REFRESH_MIRROR = FUNCTIONS + read("control/note") + read("control/refresh-mirror");

	static final String ACQUIRE_MIRROR_LEASE = FUNCTIONS + read("control/acquire-mirror-lease");

	static final String RELEASE_MIRROR_LEASE = FUNCTIONS + read("control/release-mirror-lease");

	static final String REVOKE_MIRROR_LEASE = FUNCTIONS + read("control/revoke-mirror-lease");

	static final String CONFIRM = FUNCTIONS + read("control/confirm");

	static final String CONFIRM_SHARDS = read("control/confirm-shards");

	static final String REMOVE = FUNCTIONS + read("control/remove");

	static final String ACQUIRE = FUNCTIONS + read("control/acquire");

	static final String RENEW = FUNCTIONS + read("control/renew");

	static final String RELEASE = FUNCTIONS + read("control/release");

	static final String SWAP = FUNCTIONS + read("control/swap");

	static final String JOURNAL = FUNCTIONS + read("control/journal");

	private static final String APPEND = read("control/append");

	private ControlScripts() {
	}

	static String append(WriteScript writes) {
		return FUNCTIONS + writes.functions() + APPEND;
	}

	static String describe(Evidence evidence) {
		return evidence.isEmpty() ? ""
				: hashes(evidence.absent()) + "|" + hashes(evidence.found()) + "|" + hashes(evidence.wrong()) + "|"
						+ (evidence.complete() ? "1" : "0") + (evidence.callersOnly() ? "1" : "0");
	}

	private static String hashes(List<String> keys) {
		return keys.stream().map((hash) -> hash + ",").collect(Collectors.joining());
	}

	private static String read(String name) {
		return LuaFile.read(ControlScripts.class, name);
	}

}
