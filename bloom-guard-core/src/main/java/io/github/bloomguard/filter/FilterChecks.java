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

package io.github.bloomguard.filter;

import java.time.Duration;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Refuses what the properties of one filter can't mean.
 */
public record FilterChecks(String filter) {

	/**
	 * @throws InvalidGuardException if a property has an invalid value
	 */
	public void that(boolean valid, String property, @Nullable Object value, String remedy) {
		if (!valid) {
			throw invalid(property, value, remedy);
		}
	}

	/**
	 * Return what refuses a property.
	 * @param value its value, and what is wrong with it if that can't be seen
	 */
	public InvalidGuardException invalid(String property, @Nullable Object value, String remedy) {
		return new InvalidGuardException(property(property) + " is " + ((value instanceof Duration time)
				? DurationFormatterUtils.print(time, DurationFormat.Style.SIMPLE) : value), remedy);
	}

	public String property(String name) {
		return "bloom-guard.filters." + this.filter + "." + name;
	}

}
