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

package io.github.bloomguard.endpoint;

import java.security.Principal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.UnsupportedKeyException;
import io.github.bloomguard.advisor.LoadObserver;
import io.github.bloomguard.endpoint.FilterReport.Instance;
import io.github.bloomguard.endpoint.FilterReport.Proof;
import io.github.bloomguard.endpoint.FilterReport.Requests;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.FillLevel.Measurement;
import io.github.bloomguard.instance.StateChange;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows how the filters are doing, switches their mode, starts rebuilds, and takes note
 * of false negatives.
 */
@Endpoint(id = "bloomguard")
public class BloomGuardEndpoint {

	private static final long LONGEST_SECONDS = 2;

	private final ManagedFilters filters;

	private final BiFunction<String, List<Object>, List<String>> nullEntries;

	private final Function<String, List<String>> methods;

	private final @Nullable LoadObserver observer;

	private final Instance instance = Instance.started();

	/**
	 * @param nullEntries gives the caches of a filter that have a null value for one of
	 * some keys
	 * @param methods gives the methods that a filter guards
	 */
	public BloomGuardEndpoint(ManagedFilters filters, BiFunction<String, List<Object>, List<String>> nullEntries,
			Function<String, List<String>> methods, @Nullable LoadObserver observer) {
		this.filters = filters;
		this.nullEntries = nullEntries;
		this.methods = methods;
		this.observer = observer;
	}

	@ReadOperation
	public FilterReports filters() {
		Map<String, FilterReport> reports = new LinkedHashMap<>();
		this.filters.forEach((filter) -> reports.put(filter.name(), report(filter)));
		return new FilterReports(reports, advice());
	}

	private Map<String, LoadReport> advice() {
		Map<String, LoadReport> advice = new LinkedHashMap<>();
		if (this.observer != null) {
			this.observer.methods().forEach((name, method) -> advice.put(name, LoadReport.of(method)));
		}
		return advice;
	}

	@ReadOperation
	public @Nullable FilterReport filter(@Selector String filter) {
		ManagedFilter managed = this.filters.find(filter);
		return (managed != null) ? report(managed) : null;
	}

	/**
	 * Switch the mode of all filters, in all instances.
	 * @param mode {@code enforce}, {@code shadow}, {@code off}, or {@code configured} to
	 * take a switch back
	 * @param applications {@code own}, as without it, for those of this application, or
	 * {@code all} for the filters of these names of all applications on this Redis
	 */
	@WriteOperation
	@SuppressWarnings("deprecation") // Spring Boot 3.5 knows no other @Nullable
	public FilterReports switchAll(SecurityContext securityContext, String mode,
			@org.springframework.lang.Nullable String applications) {
		this.filters.stream()
			.filter((filter) -> filter.owner() == null)
			.forEach((filter) -> switchMode(filter, securityContext, mode, applications));
		return filters();
	}

	/**
	 * Rebuild a filter: a request without a body, which {@link #change} does not accept.
	 */
	@WriteOperation
	public @Nullable FilterReport rebuild(@Selector String filter) {
		return change(SecurityContext.NONE, filter, null, null, null);
	}

	/**
	 * Switch the mode of a filter in all instances, or else do what an action says.
	 * @param mode as for {@link #switchAll}
	 * @param action {@code rebuild}, which is done without one, too, or
	 * {@code acknowledge}: false negatives are no longer in the health, but stay counted,
	 * and a filter that has been refuted may prove itself anew
	 * @param applications as for {@link #switchAll}
	 */
	@WriteOperation
	@SuppressWarnings("deprecation") // Spring Boot 3.5 knows no other @Nullable
	public @Nullable FilterReport change(SecurityContext securityContext, @Selector String filter,
			@org.springframework.lang.Nullable String mode, @org.springframework.lang.Nullable String action,
			@org.springframework.lang.Nullable String applications) {
		ManagedFilter managed = this.filters.find(filter);
		if (managed == null) {
			return null;
		}
		if (managed.owner() != null) {
			throw new InvalidEndpointRequestException(
					"The filter '" + filter + "' is that of the application '" + managed.owner() + "'",
					"Send the request to an instance of that application");
		}
		if (mode != null) {
			switchMode(managed, securityContext, mode, applications);
			return report(managed);
		}
		if (applications != null) {
			throw new InvalidEndpointRequestException("The request names applications and no mode",
					"Write the mode to switch to, too");
		}
		switch ((action != null) ? action : "rebuild") {
			case "rebuild" -> managed.warmUp().rebuild();
			case "acknowledge" -> {
				await(managed, managed.filter().acknowledge());
				managed.statistics().acknowledgeFalseNegatives();
			}
			default -> throw new InvalidEndpointRequestException("The action is '" + action + "'",
					"Write rebuild or acknowledge, or a mode");
		}
		return report(managed);
	}

	private static void switchMode(ManagedFilter managed, SecurityContext securityContext, String mode,
			@Nullable String applications) {
		boolean everywhere = switch ((applications != null) ? applications : "own") {
			case "own" -> false;
			case "all" -> true;
			default -> throw new InvalidEndpointRequestException("The applications are '" + applications + "'",
					"Write all, or own for this application, which is the default");
		};
		ModeSwitch to = to(mode, securityContext, everywhere);
		await(managed, everywhere ? managed.filter().switchEverywhere(to) : managed.filter().switchTo(to));
	}

	private static @Nullable ModeSwitch to(String mode, SecurityContext securityContext, boolean everywhere) {
		if (mode.equals("configured")) {
			return null;
		}
		Principal user = securityContext.getPrincipal();
		return Arrays.stream(FilterMode.values())
			.filter((candidate) -> candidate.name().equalsIgnoreCase(mode))
			.map((found) -> new ModeSwitch(found, Instant.now(), (user != null) ? user.getName() : null, everywhere))
			.findFirst()
			.orElseThrow(() -> new InvalidEndpointRequestException("The mode is '" + mode + "'",
					"Write enforce, shadow or off, or configured for the one of the property"));
	}

	private static void await(ManagedFilter managed, CompletableFuture<?> change) {
		try {
			inTime(change).join();
		}
		catch (CompletionException ex) {
			throw new NotChangedException(managed.name(), ex);
		}
	}

	/**
	 * @param add whether to add the key first
	 */
	@Nullable KeyReport preview(String filter, String key, boolean composite, boolean add) {
		ManagedFilter managed = this.filters.find(filter);
		if (managed == null) {
			return null;
		}
		List<String> parts = composite ? List.of(key.split(",", -1)) : List.of(key);
		Object asked = composite ? parts : key;
		try {
			if (add) {
				managed.written().add(List.of(asked));
			}
			return KeyReport.of(managed.guard(), asked, this.nullEntries.apply(filter, readings(parts)));
		}
		catch (UnsupportedKeyException ex) {
			throw new InvalidEndpointRequestException("The key is not one", ex.getMessage(), ex);
		}
	}

	/**
	 * Caches tell numbers from texts, if they do not keep keys as text.
	 */
	private static List<Object> readings(List<String> parts) {
		return Stream.<Function<String, Object>>of((part) -> part, Long::valueOf, Integer::valueOf)
			.map((type) -> parts.stream().map((part) -> reading(part, type)).toList())
			.map((reading) -> (reading.size() == 1) ? reading.get(0) : reading)
			.distinct()
			.toList();
	}

	private static Object reading(String part, Function<String, Object> type) {
		try {
			return type.apply(part);
		}
		catch (NumberFormatException ex) {
			return part;
		}
	}

	private FilterReport report(ManagedFilter managed) {
		Generation active = managed.filter().active();
		FilterSpecification specification = (managed.owner() != null && active != null)
				? active.specification().withExpectedInsertions(active.configuredInsertions())
				: managed.settings().specification();
		ControlRecord record = managed.filter().record();
		Occupancy occupancy = measure(managed.fillLevel()).occupancy();
		Requests requests = Requests.of(managed.statistics());
		StateChange state = managed.filter().stateChange();
		return new FilterReport(state.state(), state.since(), state.reason(), managed.filter().mode(),
				managed.settings().mode(), managed.filter().switched(), managed.owner(),
				(record != null) ? record.readers() : 0, this.methods.apply(managed.name()), managed.settings().type(),
				Objects.toString(managed.filter().text(), null), (active != null) ? active.id() : null,
				(active != null) ? active.createdAt() : null, specification.expectedInsertions(),
				specification.falsePositiveProbability(), occupancy.insertions(), occupancy.falsePositiveProbability(),
				requests.observedFalsePositiveRate(), occupancy.sizeInBytes(), occupancy.fillRatio(), requests,
				Proof.of(managed), FilterReport.Verification.of(managed), managed.flood().flood(),
				managed.statistics().unacknowledgedFalseNegatives(), managed.warmUp().progress(),
				(managed.changes() != null) ? managed.changes().progress() : null, FilterReport.Mirror.of(managed),
				this.instance.now());
	}

	/**
	 * Measure, or take the latest measurement: the state tells that Redis does not
	 * answer.
	 */
	private static Measurement measure(FillLevel level) {
		return inTime(level.measure()).exceptionally((ex) -> level.latest()).join();
	}

	private static <T extends @Nullable Object> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
		return answer.copy().orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * The reports of filters, and of loads that no filter guards, by their names.
	 */
	public record FilterReports(Map<String, FilterReport> filters, Map<String, LoadReport> advisor) {

	}

}
