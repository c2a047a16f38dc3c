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

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a mode that a filter is given at run time.
 */
class ModeSwitchTests {

	private final Rows rows = new Rows();

	private final List<FilterUnderTest> running = new ArrayList<>();

	@AfterEach
	void close() {
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest start() {
		return running(FilterUnderTest.with(this.rows).loaded());
	}

	private FilterUnderTest running(FilterUnderTest filter) {
		this.running.add(filter);
		return filter;
	}

	@Test
	void switchIsSeenByAllInstancesUntilItIsTakenBack() {
		FilterUnderTest one = start();
		FilterUnderTest other = running(one.another());
		one.switchTo(FilterMode.SHADOW);
		assertThat(one.state()).isEqualTo(FilterState.SHADOW);
		assertThat(one.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		other.refresh();
		assertThat(other.state()).isEqualTo(FilterState.SHADOW);
		assertThat(other.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		other.switchTo(FilterMode.OFF);
		one.refresh();
		assertThat(one.state()).isEqualTo(FilterState.OFF);
		assertThat(one.check(-1L)).isEqualTo(Decision.UNKNOWN);
		one.written().add(List.of(-1L));
		one.takeSwitchBack();
		other.refresh();
		for (FilterUnderTest instance : List.of(one, other)) {
			assertThat(instance.state()).isEqualTo(FilterState.READY);
			assertThat(instance.check(-1L).membership()).as("added while it was off").isEqualTo(Membership.MAYBE);
			assertThat(instance.check(-2L)).isEqualTo(Decision.ABSENT);
		}
	}

	@Test
	void instanceThatStartsLaterHasTheSwitch() {
		FilterUnderTest one = start();
		one.switchTo(FilterMode.OFF);
		FilterUnderTest late = running(one.another());
		assertThat(late.state()).isEqualTo(FilterState.OFF);
		assertThat(late.check(-1L)).isEqualTo(Decision.UNKNOWN);
	}

	@Test
	void switchIsThatOfTheApplicationUnlessItNamesAll() {
		FilterUnderTest shop = start();
		FilterUnderTest stock = running(shop.ofApplication("stock"));
		shop.switchTo(FilterMode.OFF);
		stock.refresh();
		assertThat(stock.check(-1L)).isEqualTo(Decision.ABSENT);
		stock.switchEverywhere(FilterMode.SHADOW);
		shop.refresh();
		assertThat(stock.state()).isEqualTo(FilterState.SHADOW);
		assertThat(shop.state()).isEqualTo(FilterState.SHADOW);
		shop.takeSwitchBack();
		stock.refresh();
		assertThat(shop.state()).isEqualTo(FilterState.READY);
		assertThat(stock.state()).as("each application takes back what counts for it").isEqualTo(FilterState.SHADOW);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ENFORCE")
	void filterThatIsConfiguredOtherwiseIsSwitchedOn(FilterMode configured) {
		FilterUnderTest filter = running(FilterUnderTest.with(this.rows).mode(configured).started());
		assertThat(filter.state()).isEqualTo(FilterState.valueOf(configured.name()));
		filter.switchTo(FilterMode.ENFORCE);
		filter.supervise();
		assertThat(filter.state()).isEqualTo(FilterState.READY);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		assertThat(filter.check(1L).membership()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void switchIsLoggedWithItsUserAndSoIsItsEnd() {
		FilterUnderTest filter = start();
		try (LogLines lines = LogLines.of(GenerationalFilter.class, Level.INFO)) {
			filter.switchTo(FilterMode.OFF);
			filter.takeSwitchBack();
			assertThat(lines.lines()).anySatisfy((line) -> assertThat(line).startsWith("WARN")
				.contains(
						"The mode of the filter 'products' is OFF since 1970-01-01T00:00:00Z, as alice has switched it"));
			assertThat(lines.lines()).anySatisfy((line) -> assertThat(line).startsWith("INFO")
				.contains("'products' has its configured mode again: ENFORCE"));
		}
	}

}
