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

package io.github.bloomguard.generation;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.TextForms;

/**
 * One generation of a filter. Its id is never used again, so an instance that still knows
 * an old generation can't mistake a new one for it. Its salt is put before each key, so
 * keys that pass the filter can't be computed beforehand.
 *
 * @param id the id, unguessable
 * @param configuredInsertions how many keys the filter was configured for when this one
 * was built, which may be made for more
 * @param origin where its keys come from; an instance with another origin does not ask it
 */
public record Generation(String id, FilterSpecification specification, long configuredInsertions, String salt,
		String origin, Instant createdAt, Phase phase) {

	private static final SecureRandom random = new SecureRandom();

	public static Generation loading(FilterSpecification specification, long configuredInsertions, String origin) {
		return new Generation(randomHex(12), specification, configuredInsertions, randomHex(8), origin, Instant.now(),
				Phase.LOADING);
	}

	public GenerationId bits() {
		return new GenerationId(this.specification.filter(), this.id);
	}

	public TextForms forms() {
		return Origin.text(this.origin);
	}

	public List<String> elements(List<String> keys) {
		return salted(forms().stored(keys));
	}

	public List<String> salted(List<String> forms) {
		return forms.stream().map(this.salt::concat).toList();
	}

	/**
	 * Return a generation of the same keys and size with other bits.
	 */
	Generation anew() {
		return loading(this.specification, this.configuredInsertions, this.origin);
	}

	Generation in(Phase phase) {
		return new Generation(this.id, this.specification, this.configuredInsertions, this.salt, this.origin,
				this.createdAt, phase);
	}

	boolean isLive() {
		return this.phase != Phase.LOADING;
	}

	public boolean isActive(String origin) {
		return this.phase == Phase.ACTIVE && this.origin.equals(origin);
	}

	public boolean isOfSize(FilterSpecification configured) {
		return this.configuredInsertions == configured.expectedInsertions()
				&& this.specification.withExpectedInsertions(configured.expectedInsertions()).equals(configured);
	}

	public static String randomHex(int bytes) {
		byte[] id = new byte[bytes];
		random.nextBytes(id);
		return HexFormat.of().formatHex(id);
	}

	/**
	 * Where a generation stands. It moves one way only.
	 */
	public enum Phase {

		/**
		 * Only its builder writes it.
		 */
		LOADING,

		/**
		 * Every add writes it, no lookup asks it.
		 */
		LIVE,

		/**
		 * Every add writes it, readers ask it.
		 */
		ACTIVE,

		/**
		 * Not needed any more: its successor is active, its builder is gone, or no
		 * instance has keys of its origin. Adds still write it until its bits are gone,
		 * because a reader may not know yet.
		 */
		RETIRED

	}

}
