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

package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that nothing is left of applications that have been started and closed in the
 * same JVM, each with classes of its own.
 */
class ClosedApplicationTests {

	private static final String APPLICATION = "io.github.bloomguard.compatibility.catalogue.CatalogueApplication";

	private static final int APPLICATIONS = 10;

	@Test
	void nothingIsLeftOfClosedApplications() throws Exception {
		startThreadOfTheJdk();
		try (TestRedis redis = TestRedis.start()) {
			List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
			for (int i = 0; i < APPLICATIONS; i++) {
				loaders.add(run(redis));
			}
			Awaitility.await().untilAsserted(() -> {
				assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
					.noneMatch((name) -> name.startsWith("redisson") || name.startsWith("bloom-guard")
							|| name.startsWith("lettuce"));
				assertThat(redis.command("CLIENT", "LIST").lines()).hasSize(1);
			});
			overwriteCacheOfTheJdk();
			Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				System.gc();
				assertThat(loaders).extracting(WeakReference::get).containsOnlyNulls();
			});
		}
	}

	/**
	 * It lives as long as the JVM, and so would the class loader of whoever is the first
	 * to need it.
	 */
	private static void startThreadOfTheJdk() {
		new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).join();
	}

	/**
	 * What makes the methods of a record remembers the class of the component that it was
	 * asked for last, whoever's that is.
	 */
	private static void overwriteCacheOfTheJdk() {
		LastRecord last = new LastRecord("last");
		assertThat(last).isEqualTo(new LastRecord("last"))
			.hasSameHashCodeAs(new LastRecord("last"))
			.hasToString("LastRecord[component=last]");
	}

	private static WeakReference<ClassLoader> run(TestRedis redis) throws Exception {
		String[] args = Stream
			.concat(Stream.of(redis.properties()),
					Stream.of("spring.main.web-application-type=none", "spring.main.register-shutdown-hook=false",
							"logging.register-shutdown-hook=false"))
			.map((property) -> "--" + property)
			.toArray(String[]::new);
		URLClassLoader loader = new URLClassLoader(ClassPath.ofGuardedApplication().urls(),
				ClassLoader.getPlatformClassLoader());
		CompletableFuture<Void> ended = new CompletableFuture<>();
		// a thread of its own, for what is left in thread locals
		Thread thread = new Thread(() -> {
			try (loader) {
				loader.loadClass(APPLICATION).getMethod("main", String[].class).invoke(null, (Object) args);
				ended.complete(null);
			}
			catch (ReflectiveOperationException | IOException | RuntimeException ex) {
				ended.completeExceptionally(ex);
			}
		});
		thread.setContextClassLoader(loader);
		thread.start();
		ended.get(1, TimeUnit.MINUTES);
		thread.join();
		return new WeakReference<>(loader);
	}

	private record LastRecord(String component) {

	}

}
