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

package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.InvalidGuardException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link OnSupportedSpringBoot}.
 */
class OnSupportedSpringBootTests {

	@ParameterizedTest
	@CsvSource({ "3.5.0,true", "3.5.16,true", "4.0.0,false", "4.2.0-M1,false", "10.0.1,false", "unknown,false" })
	void starterOfTheLineIsRight(String version, boolean starterOf3) {
		assertThatNoException().isThrownBy(() -> OnSupportedSpringBoot.check(version, starterOf3));
	}

	@ParameterizedTest
	@CsvSource({ "3.5.16,false,bloom-guard-spring-boot3-starter", "4.0.0,true,bloom-guard-starter",
			"4.2.0-M1,true,bloom-guard-starter" })
	void starterOfAnotherLineIsRefusedWithTheNameOfTheRightOne(String version, boolean starterOf3, String right) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> OnSupportedSpringBoot.check(version, starterOf3))
			.satisfies((ex) -> assertThat(ex.getRemedy()).isEqualTo("Write " + right + " in its place"));
	}

	@ParameterizedTest
	@CsvSource({ "2.7.18,false,bloom-guard-starter", "3.4.9,true,bloom-guard-spring-boot3-starter" })
	void olderLineIsRefused(String version, boolean starterOf3, String starter) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> OnSupportedSpringBoot.check(version, starterOf3))
			.withMessageContaining("needs Spring Boot 3.5 or later, and this is " + version)
			.satisfies((ex) -> assertThat(ex.getRemedy()).endsWith("remove " + starter));
	}

}
