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

package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelfCalls}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SelfCallsTests {

	private static final String WARNING = "does nothing when ";

	@ParameterizedTest
	@ValueSource(classes = { Directly.class, InLambda.class, ByReference.class, Inheriting.class })
	void beanThatCallsItsOwnGuardedMethodIsWarnedOf(Class<?> bean, CapturedOutput output) {
		GuardContext.of(bean).close();
		assertThat(output).containsOnlyOnce(WARNING)
			.contains("@BloomGuarded on ")
			.contains("find(long) does nothing when all of the same bean calls it, because such a call passes no proxy."
					+ " Annotate the method of the mapper or repository that it calls");
	}

	@Test
	void itIsSaidOnceOfAllCallersAndBeans(CapturedOutput output) {
		try (GuardContext context = GuardContext.of(Several.class)) {
			context.bean(Several.class);
			context.bean(Several.class);
		}
		assertThat(output).containsOnlyOnce("Several.find(long) does nothing when all, first of the same bean");
	}

	@Test
	void keysThatAreNotAddedAreWarnedOf(CapturedOutput output) {
		GuardContext.of(Saving.class).close();
		assertThat(output).containsOnlyOnce("@BloomAdd on SelfCallsTests.Saving.save(long) does nothing when saveAll");
	}

	@ParameterizedTest
	@ValueSource(classes = { ThroughField.class, ThroughProvider.class, ThroughParameter.class, Delegating.class,
			Overloaded.class, GuardedTogether.class })
	void callThatMayPassAProxyOrNeedsNoneIsNotWarnedOf(Class<?> bean, CapturedOutput output) {
		GuardContext.of(bean).close();
		assertThat(output).doesNotContain(WARNING);
	}

	static class Directly {

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return null;
		}

		public List<@Nullable String> all(long id) {
			return List.of(find(id));
		}

	}

	static class InLambda {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public List<String> all(List<Long> ids) {
			return ids.stream().flatMap((id) -> find(id).stream()).toList();
		}

	}

	static class ByReference {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public List<String> all(List<Long> ids) {
			Function<Long, Optional<String>> finder = this::find;
			return ids.stream().map(finder).flatMap(Optional::stream).toList();
		}

	}

	abstract static class Base {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

	}

	static class Inheriting extends Base {

		public Optional<String> all(long id) {
			return find(id);
		}

	}

	@Scope("prototype")
	static class Several {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public Optional<String> first(long id) {
			return find(id);
		}

		public List<Optional<String>> all(long id) {
			return List.of(find(id), find(id + 1));
		}

	}

	static class Saving {

		@BloomAdd(filter = "products", key = "#id")
		public void save(long id) {
		}

		public void saveAll(List<Long> ids) {
			ids.forEach(this::save);
		}

	}

	static class ThroughField {

		@Lazy
		@Autowired
		private ThroughField self;

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public Optional<String> all(long id) {
			return this.self.find(id);
		}

	}

	static class ThroughProvider {

		private final ObjectProvider<ThroughProvider> self;

		ThroughProvider(ObjectProvider<ThroughProvider> self) {
			this.self = self;
		}

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public Optional<String> all(long id) {
			return this.self.getObject().find(id);
		}

	}

	static class ThroughParameter {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		public Optional<String> all(ThroughParameter self, long id) {
			return self.find(id);
		}

	}

	interface Finder {

		Optional<String> find(long id);

	}

	static class Delegating implements Finder {

		private final Finder delegate = (id) -> Optional.empty();

		@BloomGuarded("products")
		@Override
		public Optional<String> find(long id) {
			return this.delegate.find(id);
		}

		public Optional<String> all(long id) {
			return this.delegate.find(id);
		}

	}

	static class Overloaded {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		@BloomGuarded("products")
		public Optional<String> find(Long id) {
			return find(id.longValue());
		}

	}

	static class GuardedTogether {

		@BloomGuarded("products")
		public Optional<String> find(long id) {
			return Optional.empty();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<String> all(List<Long> ids) {
			return ids.stream().flatMap((id) -> find(id).stream()).toList();
		}

	}

}
