package io.github.bloomguard.guard;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a Redis whose replicas are gone although keys must be on one of them.
 */
class ReplicaOutageTests {

	private static final int ADDERS = 16;

	@Test
	void readersAreAnsweredWhileNoReplicaTakesWhatIsAdded() throws Exception {
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis, new Keys("products", 100),
						"bloom-guard.filters.products.add-replicas=1", "bloom-guard.timeout=500ms",
						"bloom-guard.add-timeout=500ms")) {
			application.awaitReady();
			BloomGuard guard = application.guard();
			AtomicBoolean stopped = new AtomicBoolean();
			AtomicInteger failed = new AtomicInteger();
			ExecutorService adders = Executors.newFixedThreadPool(ADDERS);
			for (int i = 0; i < ADDERS; i++) {
				long key = 1000 + i;
				adders.execute(() -> {
					while (!stopped.get()) {
						try {
							guard.add("products", key);
						}
						catch (KeyNotAddedException ex) {
							failed.incrementAndGet();
						}
					}
				});
			}
			Awaitility.await().until(() -> failed.get() >= ADDERS);
			int before = failed.get();
			int unanswered = 0;
			while (failed.get() < before + 2 * ADDERS) {
				unanswered += (guard.membership("products", "absent") == Membership.ABSENT) ? 0 : 1;
			}
			stopped.set(true);
			adders.shutdown();
			assertThat(adders.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			assertThat(unanswered).isZero();
		}
	}

}
