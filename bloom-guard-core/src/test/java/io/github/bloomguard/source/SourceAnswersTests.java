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

package io.github.bloomguard.source;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyFormat;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SourceAnswers}.
 */
class SourceAnswersTests {

	private final AtomicBoolean contradicted = new AtomicBoolean();

	private final SourceAnswers keys = new SourceAnswers("products", new KeyFormat(List.of()),
			FilterSources.of(List.of(new OneProduct())), this.contradicted::get);

	@Test
	void sourceTellsOnlyOfRowsThatItHasWhileCallersSeeMore() {
		assertThat(this.keys.contains(8)).contains(false);
		this.contradicted.set(true);
		assertThat(this.keys.contains(8)).as("only its caller may see it").isEmpty();
		assertThat(this.keys.contains(7)).contains(true);
		assertThat(this.keys.canTell()).isFalse();
		this.contradicted.set(false);
		assertThat(this.keys.contains(8)).contains(false);
	}

	private static final class OneProduct implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of(7);
		}

		@Override
		public Optional<Boolean> contains(List<?> key) {
			return Optional.of(key.equals(List.of(7)));
		}

	}

}
