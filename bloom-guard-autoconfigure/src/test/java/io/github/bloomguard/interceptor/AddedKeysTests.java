package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AddedKeys}.
 */
class AddedKeysTests {

	@Test
	void singleValueIsOneKey() {
		assertThat(AddedKeys.of(7L)).containsExactly(7L);
		assertThat(AddedKeys.of(null)).isEmpty();
		assertThat(AddedKeys.of(List.of())).isEmpty();
		assertThat(AddedKeys.of(new long[0])).isEmpty();
	}

	@Test
	void nullElementsAreNoKeys() {
		List<Object> keys = AddedKeys.of(Arrays.asList(null, 1L));
		assertThat(keys).hasSize(2).startsWith(1L);
		assertThat((Object[]) keys.get(1)).containsExactly(null, 1L);
	}

	@Test
	void arrayStandsForItsElementsAndForItself() {
		long[] primitives = { 1, 2 };
		assertThat(AddedKeys.of(primitives)).containsExactly(1L, 2L, primitives);
		String[] objects = { "a", "b" };
		assertThat(AddedKeys.of(objects)).containsExactly("a", "b", objects);
	}

	@Test
	void bytesAreOneKey() {
		byte[] bytes = new byte[16];
		assertThat(AddedKeys.of(bytes)).containsExactly(bytes);
	}

	@Test
	void largeCollectionIsNotAlsoACompositeKey() {
		List<Integer> eight = IntStream.range(0, AddedKeys.MAX_PARTS).boxed().toList();
		List<Integer> nine = IntStream.range(0, AddedKeys.MAX_PARTS + 1).boxed().toList();
		assertThat(AddedKeys.of(eight)).hasSize(9);
		assertThat(AddedKeys.of(nine)).containsExactlyElementsOf(nine);
	}

	@Test
	void eachCompositeKeyOfACollectionIsAdded() {
		List<List<Object>> pairs = IntStream.range(0, 20).mapToObj((i) -> List.<Object>of("a", i)).toList();
		List<Object> keys = AddedKeys.of(pairs);
		assertThat(keys).filteredOn(Object[].class::isInstance)
			.hasSize(20)
			.element(19)
			.isEqualTo(new Object[] { "a", 19 });
	}

}
