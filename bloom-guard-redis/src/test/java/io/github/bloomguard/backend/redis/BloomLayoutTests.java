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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link BloomLayout} with what {@code RBloomFilter} itself writes.
 */
class BloomLayoutTests {

	private static final int CHUNK = 1000;

	/** Letters of one to four bytes in UTF-8, and halves of pairs. */
	private static final String[] LETTERS = { "a", "7", "\0", "-", "ä", "€", "😀", "\ud83d", "\ude00", "\uffff" };

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	@ParameterizedTest
	@Tag("slow")
	@CsvSource({ "1000000, 0.01, 20000", "3000000, 0.0001, 20000", "20000, 0.03, 30000", "12345, 0.3, 20000",
			"20000, 0.9, 20000", "500, 0.000000001, 9999", "1, 0.01, 1", "1, 0.3, 5" })
	void eachBitIsWhereRedissonPutsIt(long insertions, double probability, int count) {
		BloomLayout layout = layout(insertions, probability);
		RBloomFilter<String> filter = newFilter(insertions, probability);
		redis.command("HSET", "{" + filter.getName() + "}:config", "size", String.valueOf(layout.bits()));
		filter = redisson.getBloomFilter(filter.getName(), StringCodec.INSTANCE);
		assertThat(filter.getSize()).isEqualTo(layout.bits());
		assertThat(filter.getHashIterations()).isEqualTo(layout.hashFunctions());
		byte[] expected = new byte[Math.toIntExact(layout.lengthInBytes())];
		long[] indexes = new long[layout.hashFunctions() + 2];
		SplittableRandom random = new SplittableRandom(count);
		for (int done = 0; done < count; done += CHUNK) {
			List<String> elements = elements(random, Math.min(CHUNK, count - done));
			filter.add(elements);
			for (String element : elements) {
				ByteBuf encoded = Unpooled.buffer();
				BloomLayout.encode(element, encoded);
				layout.indexes(encoded, new ElementHash(), indexes, 1);
				for (int i = 1; i <= layout.hashFunctions(); i++) {
					expected[(int) (indexes[i] >> 3)] |= (byte) (0x80 >> (indexes[i] & 7));
				}
			}
		}
		assertThat(indexes[0]).isZero();
		assertThat(indexes[indexes.length - 1]).isZero();
		byte[] bits = redisson.<byte[]>getBucket(filter.getName(), ByteArrayCodec.INSTANCE).get();
		assertThat(Arrays.equals(Arrays.copyOf(bits, expected.length), expected)).isTrue();
	}

	/**
	 * Return all lengths up to 100 letters in turns, some more, and a few that are very
	 * long.
	 */
	private static List<String> elements(SplittableRandom random, int count) {
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int length = (i == 99) ? 100_000 : (i % 100 == 99) ? random.nextInt(5000) : i % 100;
			elements.add(random.nextBoolean() ? ascii(random, length) : any(random, length));
		}
		return elements;
	}

	private static String ascii(SplittableRandom random, int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) random.nextInt(' ', 127));
		}
		return text.toString();
	}

	private static String any(SplittableRandom random, int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append(LETTERS[random.nextInt(LETTERS.length)]);
		}
		return text.toString();
	}

	@Test
	void numbersAreEncodedAsTheirText() {
		LongStream powers = LongStream.iterate(1, (power) -> power * 10)
			.limit(19)
			.flatMap((power) -> LongStream.of(power - 1, power, power + 1));
		LongStream.concat(powers, LongStream.of(Long.MAX_VALUE))
			.flatMap((number) -> LongStream.of(number, -number))
			.forEach(BloomLayoutTests::assertEncodedAsText);
		assertEncodedAsText(Long.MIN_VALUE);
	}

	private static void assertEncodedAsText(long number) {
		ByteBuf encoded = Unpooled.buffer(1).writeByte('x');
		BloomLayout.encode(number, encoded);
		assertThat(encoded.toString(StandardCharsets.US_ASCII)).isEqualTo("x" + number);
	}

	@Test
	void sizesAreThoseOfRedissonWithoutTheirFactors() {
		SplittableRandom random = new SplittableRandom(1);
		for (int i = 0; i < 500; i++) {
			long insertions = 1 + (long) Math.pow(10, random.nextDouble(0, 8));
			double probability = Math.pow(10, random.nextDouble(-6, -0.5));
			RBloomFilter<String> filter = newFilter(insertions, probability);
			BloomLayout layout = layout(insertions, probability);
			assertThat(layout.bits()).isBetween(filter.getSize(), filter.getSize() + 40);
			assertThat(IntStream.rangeClosed(2, layout.hashFunctions()))
				.noneMatch((factor) -> layout.bits() % factor == 0);
			assertThat(layout.hashFunctions()).isEqualTo(filter.getHashIterations());
		}
	}

	/**
	 * With the size that Redisson computes, which is even, 2.07 times as many would.
	 */
	@Test
	void keysThatDoNotExistPassHalfAsOftenAsWithAnEvenSize() {
		int keys = 300_000;
		BloomLayout layout = layout(keys, 0.001);
		assertThat(new FilterSpecification("products", keys, 0.001).bits()).isEven();
		BitSet bits = new BitSet();
		for (int key = 0; key < keys; key++) {
			LongStream.of(indexes(layout, key)).forEach((index) -> bits.set((int) index));
		}
		long passed = IntStream.range(keys, keys + 1_000_000)
			.filter((key) -> LongStream.of(indexes(layout, key)).allMatch((index) -> bits.get((int) index)))
			.count();
		assertThat(passed).isBetween(1300L, 1600L);
	}

	private static long[] indexes(BloomLayout layout, int key) {
		ByteBuf encoded = Unpooled.buffer();
		BloomLayout.encode(String.valueOf(key), encoded);
		long[] indexes = new long[layout.hashFunctions()];
		layout.indexes(encoded, new ElementHash(), indexes, 0);
		return indexes;
	}

	@Test
	void indexIsTheRemainderOfADivisionForAllSizes() {
		SplittableRandom random = new SplittableRandom(7);
		LongStream sizes = LongStream.concat(
				LongStream.of(1, 2, 3, 63, 64, 65, 1L << 31, (1L << 32) - 1, FilterSpecification.MAX_BITS),
				random.longs(2000, 1, FilterSpecification.MAX_BITS));
		sizes.forEach((size) -> {
			BloomLayout layout = new BloomLayout(size, 1);
			long[] index = new long[1];
			LongStream
				.concat(LongStream.of(0, 1, size - 1, size, size + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1,
						Long.MAX_VALUE / size * size - 1, Long.MAX_VALUE / size * size), random.longs(500))
				.forEach((hash) -> {
					layout.indexes(hash, 0, index, 0);
					assertThat(index[0]).isEqualTo((hash & Long.MAX_VALUE) % size);
				});
		});
	}

	@Test
	void wordIsPastEachElement() {
		for (long insertions : new long[] { 1, 7, 100, 12345, 1_000_000 }) {
			BloomLayout layout = layout(insertions, 0.01);
			assertThat(layout.sealOffset()).isBetween(layout.bits(), layout.bits() + 63);
			assertThat(layout.sealOffset() % 64).isZero();
			assertThat(layout.lengthInBytes()).isEqualTo(layout.sealOffset() / 8 + 8);
		}
	}

	@Test
	void wordIsWhereTheBitCommandsOfRedisFindIt() {
		BloomLayout layout = layout(1000, 0.01);
		redis.command("SETRANGE", "word", String.valueOf(layout.sealOffset() / 8), "\1\2\3\4\5\6\7\10");
		assertThat(redis.command("STRLEN", "word")).isEqualTo(String.valueOf(layout.lengthInBytes()));
		assertThat(redis.command("BITFIELD_RO", "word", "GET", "i64", String.valueOf(layout.sealOffset())))
			.isEqualTo(String.valueOf(0x0102030405060708L));
	}

	private static BloomLayout layout(long insertions, double probability) {
		return BloomLayout.of(new FilterSpecification("products", insertions, probability));
	}

	private static RBloomFilter<String> newFilter(long insertions, double probability) {
		RBloomFilter<String> filter = redisson.getBloomFilter("layout:" + insertions + ":" + probability,
				StringCodec.INSTANCE);
		filter.tryInit(insertions, probability);
		return filter;
	}

}
