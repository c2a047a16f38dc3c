package io.github.bloomguard.backend.redis;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

import io.github.bloomguard.filter.FilterSpecification;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SealWord}.
 */
class SealWordTests {

	private static final BloomLayout LAYOUT = layout(1000, 0.01);

	@Test
	void eachFilterHasTwoValuesOfItsOwn() {
		Set<Long> values = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			SealWord word = SealWord.of("bloom-guard:{products}:bits:" + i, LAYOUT);
			assertThat(values.add(word.loading())).isTrue();
			assertThat(values.add(word.sealed())).isTrue();
		}
		assertThat(values).allSatisfy((value) -> assertThat(value).isPositive());
	}

	@Test
	void filterOfAnotherSizeHasAnotherWord() {
		SealWord word = SealWord.of("name", LAYOUT);
		assertThat(SealWord.of("name", layout(1000, 0.01))).isEqualTo(word);
		assertThat(SealWord.of("name", layout(1001, 0.01))).isNotEqualTo(word);
	}

	@Test
	void highByteComesFirst() {
		SealWord word = SealWord.of("name", LAYOUT);
		assertThat(ByteBuffer.wrap(SealWord.bytes(word.sealed())).getLong()).isEqualTo(word.sealed());
		assertThat(SealWord.bytes(1)).containsExactly(0, 0, 0, 0, 0, 0, 0, 1);
	}

	private static BloomLayout layout(long insertions, double probability) {
		return BloomLayout.of(new FilterSpecification("products", insertions, probability));
	}

}
