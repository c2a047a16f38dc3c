package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AddedKeys}.
 */
class AddedKeysTests {

	@Test
	void keyIsOneWhateverItIs() {
		List<Integer> parts = IntStream.range(0, 20).boxed().toList();
		long[] array = { 1, 2 };
		assertThat(AddedKeys.one(7L)).containsExactly(7L);
		assertThat(AddedKeys.one(parts)).containsExactly(parts);
		assertThat(AddedKeys.one(array)).containsExactly(array);
		assertThat(AddedKeys.one(null)).isEmpty();
	}

	@Test
	void eachElementIsAKey() {
		assertThat(AddedKeys.each(List.of(1L, 2L))).containsExactly(1L, 2L);
		assertThat(AddedKeys.each(Set.of(1L))).containsExactly(1L);
		assertThat(AddedKeys.each(new long[] { 1, 2 })).containsExactly(1L, 2L);
		assertThat(AddedKeys.each(new String[] { "a", "b" })).containsExactly("a", "b");
		assertThat(AddedKeys.each((Iterable<Long>) List.of(1L, 2L)::iterator)).containsExactly(1L, 2L);
		assertThat(AddedKeys.each(List.of())).isEmpty();
		assertThat(AddedKeys.each(null)).isEmpty();
	}

	@Test
	void nullElementsAreNoKeys() {
		assertThat(AddedKeys.each(Arrays.asList(null, 1L))).containsExactly(1L);
		assertThat(AddedKeys.each(new Object[] { 1L, null })).containsExactly(1L);
	}

	@Test
	void elementsOfElementsArePartsOfAKey() {
		List<List<Object>> pairs = IntStream.range(0, 20).mapToObj((i) -> List.<Object>of("a", i)).toList();
		assertThat(AddedKeys.each(pairs)).containsExactlyElementsOf(pairs);
	}

	@Test
	void whatHasNoElementsIsAKey() {
		byte[] bytes = new byte[16];
		assertThat(AddedKeys.each(7L)).containsExactly(7L);
		assertThat(AddedKeys.each(bytes)).containsExactly(bytes);
	}

}
