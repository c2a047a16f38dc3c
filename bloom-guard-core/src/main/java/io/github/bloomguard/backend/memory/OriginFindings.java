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

package io.github.bloomguard.backend.memory;

import java.util.HashSet;
import java.util.Set;

import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;

/**
 * What has been reported of one origin, of which {@link Trust} is the sum.
 */
final class OriginFindings {

	private static final int REMEMBERED = 1000;

	private final Set<String> absent = new HashSet<>();

	private final Set<String> found = new HashSet<>();

	private final Set<String> wrong = new HashSet<>();

	private Doubt doubt = Doubt.NONE;

	private boolean complete;

	void add(Evidence evidence, long now) {
		if (this.wrong.size() > REMEMBERED) {
			this.wrong.clear();
		}
		if (!evidence.wrong().isEmpty()) {
			this.doubt = this.doubt.and(evidence.wrong().stream().filter(this.wrong::add).count(), now);
		}
		if (evidence.callersOnly()) {
			this.doubt = this.doubt.callersOnlyAt(now);
		}
		prove(evidence);
	}

	/**
	 * What has been wrong begins to prove itself anew.
	 */
	private void prove(Evidence evidence) {
		this.complete |= evidence.complete();
		if (!this.complete && !evidence.wrong().isEmpty()) {
			this.absent.clear();
			this.found.clear();
		}
		else {
			this.absent.addAll(evidence.absent());
			this.found.addAll(evidence.found());
		}
	}

	void acknowledge() {
		this.doubt = this.doubt.acknowledged();
	}

	Doubt doubt() {
		return this.doubt;
	}

	Trust trust(Rollout rollout, boolean empty) {
		return new Trust(rollout, new Proof(this.absent.size(), this.found.size(), this.complete, empty), this.doubt);
	}

}
