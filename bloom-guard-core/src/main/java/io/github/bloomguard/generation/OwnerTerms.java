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

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.KeyTerms;

/**
 * What an application that loads a filter tells applications that only ask it. It stands
 * in the control record beside the {@link Origin}, and is all that a reader has to know
 * of the owner's configuration and of its sources.
 *
 * @param loads whether the instances load keys; others only add some
 * @param mode the configured mode
 * @param settle how long older instances may insert rows
 * @param requiredCalls how many calls have to be right before the filter is believed
 * @param callersOnly whether the rows that there are depend on the caller
 * @param unseenWriters whether rows may come that no writer shows
 * @param keys which keys may be called absent
 * @param type the type of the filter
 */
public record OwnerTerms(boolean loads, FilterMode mode, Duration settle, int requiredCalls, boolean callersOnly,
		boolean unseenWriters, KeyTerms keys, String type) {

	/**
	 * What follows it means what it means here.
	 */
	private static final String FORM = "1";

	private static final String SEPARATOR = "|";

	private static final int PARTS = 9;

	/**
	 * Return the terms with a code, empty if this version does not know all of them.
	 */
	public static Optional<OwnerTerms> ofCode(String code) {
		String[] parts = code.split("\\|", PARTS);
		if (parts.length < PARTS || !parts[0].equals(FORM)) {
			return Optional.empty();
		}
		try {
			return Arrays.stream(FilterMode.values())
				.filter((mode) -> mode.name().equals(parts[2]))
				.findFirst()
				.map((mode) -> new OwnerTerms(is(parts[1]), mode, Duration.ofMillis(Long.parseLong(parts[3])),
						Integer.parseInt(parts[4]), is(parts[5]), is(parts[6]), KeyTerms.ofCode(parts[7]), parts[8]));
		}
		catch (NumberFormatException ex) {
			return Optional.empty();
		}
	}

	private static boolean is(String flag) {
		return flag.equals("1");
	}

	public String code() {
		return String.join(SEPARATOR, FORM, flag(this.loads), this.mode.name(), String.valueOf(this.settle.toMillis()),
				String.valueOf(this.requiredCalls), flag(this.callersOnly), flag(this.unseenWriters), this.keys.code(),
				this.type);
	}

	private static String flag(boolean is) {
		return is ? "1" : "0";
	}

}
