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

package io.github.bloomguard.backend.redis;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Runs {@link AtomicBitsStress}.
 */
@Tag("nightly")
class AtomicBitsStressTests {

	@Test
	void threadsSeeBitsInTheOrderThatIsPromised(@TempDir Path directory) throws Exception {
		Options options = new Options(new String[] { "-t", AtomicBitsStress.class.getSimpleName(), "-m", "quick", "-sc",
				"false", "-r",
				directory.toString(), "-p", directory.resolve("results.bin.gz").toString() });
		assertThat(options.parse()).isTrue();
		JCStress stress = new JCStress(options);
		assertThat(stress.getTests()).hasSize(3);
		assertThatNoException().isThrownBy(stress::run);
	}

}
