package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AddOperation}.
 */
class AddOperationTests {

	@Test
	void keyIsOneWhateverItIs() {
		List<Integer> parts = IntStream.range(0, 20).boxed().toList();
		long[] array = { 1, 2 };
		assertThat(AddOperation.one(7L)).containsExactly(7L);
		assertThat(AddOperation.one(parts)).containsExactly(parts);
		assertThat(AddOperation.one(array)).containsExactly(array);
		assertThat(AddOperation.one(null)).isEmpty();
	}

	@Test
	void eachElementIsAKey() {
		assertThat(AddOperation.each(List.of(1L, 2L))).containsExactly(1L, 2L);
		assertThat(AddOperation.each(Set.of(1L))).containsExactly(1L);
		assertThat(AddOperation.each(new long[] { 1, 2 })).containsExactly(1L, 2L);
		assertThat(AddOperation.each(new String[] { "a", "b" })).containsExactly("a", "b");
		assertThat(AddOperation.each((Iterable<Long>) List.of(1L, 2L)::iterator)).containsExactly(1L, 2L);
		assertThat(AddOperation.each(List.of())).isEmpty();
		assertThat(AddOperation.each(null)).isEmpty();
	}

	@Test
	void nullElementsAreNoKeys() {
		assertThat(AddOperation.each(Arrays.asList(null, 1L))).containsExactly(1L);
		assertThat(AddOperation.each(new Object[] { 1L, null })).containsExactly(1L);
	}

	@Test
	void elementsOfElementsArePartsOfAKey() {
		List<List<Object>> pairs = IntStream.range(0, 20).mapToObj((i) -> List.<Object>of("a", i)).toList();
		assertThat(AddOperation.each(pairs)).containsExactlyElementsOf(pairs);
	}

	@Test
	void whatHasNoElementsIsAKey() {
		byte[] bytes = new byte[16];
		assertThat(AddOperation.each(7L)).containsExactly(7L);
		assertThat(AddOperation.each(bytes)).containsExactly(bytes);
	}

}
