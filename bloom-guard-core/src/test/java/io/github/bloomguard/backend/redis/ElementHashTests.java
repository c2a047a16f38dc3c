package io.github.bloomguard.backend.redis;

import java.util.SplittableRandom;

import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.redisson.misc.Hash;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link ElementHash} with Redisson's own hash.
 */
class ElementHashTests {

	@Test
	void hashIsThatOfRedissonForEachLength() {
		SplittableRandom random = new SplittableRandom(1);
		ElementHash hash = new ElementHash();
		for (int i = 0; i < 300_000; i++) {
			byte[] bytes = new byte[1000];
			int length = (i % 100 == 0) ? random.nextInt(bytes.length) : i % 100;
			random.nextBytes(bytes);
			hash.hash(bytes, length);
			assertThat(new long[] { hash.first(), hash.second() })
				.isEqualTo(Hash.hash128(Unpooled.wrappedBuffer(bytes, 0, length)));
		}
	}

}
