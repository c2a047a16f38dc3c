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

package io.github.bloomguard.declaration;

import java.util.Arrays;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.util.ClassUtils;

/**
 * What an application may not have. Nothing of it is loaded where it is missing.
 */
public enum OptionalLibrary {

	REACTOR("io.projectreactor:reactor-core", "reactor.core.publisher.Flux"),

	/**
	 * What Spring needs to intercept Kotlin's {@code suspend} functions.
	 */
	COROUTINES("org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect",
			"kotlinx.coroutines.reactor.MonoKt", "kotlin.reflect.full.KClasses"),

	SPRING_DATA("org.springframework.data:spring-data-commons", "org.springframework.data.domain.Window"),

	SPRING_WEB("org.springframework:spring-web", "org.springframework.http.ResponseEntity");

	private final String artifacts;

	private final String[] types;

	private final boolean present;

	OptionalLibrary(String artifacts, String... types) {
		this.artifacts = artifacts;
		this.types = types;
		this.present = Arrays.stream(types)
			.allMatch((type) -> ClassUtils.isPresent(type, OptionalLibrary.class.getClassLoader()));
	}

	public boolean isPresent() {
		return this.present;
	}

	Stream<String> types() {
		return Arrays.stream(this.types);
	}

	/**
	 * @throws InvalidGuardException if it is missing
	 */
	public void require(Declaration declaration, String reason) {
		if (!this.present) {
			throw declaration.invalid(reason + ", but what it needs is missing",
					"add " + this.artifacts + " to the class path");
		}
	}

}
