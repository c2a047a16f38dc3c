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

package io.github.bloomguard.boot3;

import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.health.FilterHealth;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

/**
 * Shows the {@link FilterHealth} in Spring Boot 3.
 */
class FilterHealthIndicator extends AbstractHealthIndicator {

	private final ManagedFilters filters;

	FilterHealthIndicator(ManagedFilters filters) {
		super(FilterHealth.FAILED);
		this.filters = filters;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		FilterHealth health = FilterHealth.of(this.filters);
		builder.status(health.up() ? Status.UP : Status.UNKNOWN).withDetails(health.details());
	}

}
