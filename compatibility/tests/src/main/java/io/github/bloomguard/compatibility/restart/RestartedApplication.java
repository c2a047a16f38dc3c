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

package io.github.bloomguard.compatibility.restart;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The program. After each start it tells whether it is guarded, and what is left of the
 * application as it was before.
 */
public final class RestartedApplication {

	/**
	 * Where the class loaders are noted, outside all of them.
	 */
	private static final String LOADERS = "compatibility.loaders";

	private static final long MOST = Duration.ofSeconds(20).toNanos();

	private RestartedApplication() {
	}

	/**
	 * Start the application, and leave it running.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = CatalogueApplication.application().run(args);
		List<WeakReference<ClassLoader>> loaders = loaders();
		loaders.add(new WeakReference<>(RestartedApplication.class.getClassLoader()));
		String checked = SelfCheck.run(context);
		System.out.println("Start " + loaders.size() + ": " + checked + ", old class loaders: "
				+ awaitCollected(loaders) + ", threads of Redisson's timer: " + timers());
	}

	@SuppressWarnings("unchecked")
	private static List<WeakReference<ClassLoader>> loaders() {
		return (List<WeakReference<ClassLoader>>) System.getProperties()
			.computeIfAbsent(LOADERS, (name) -> new CopyOnWriteArrayList<>());
	}

	/**
	 * Wait until there are no class loaders of former starts. The first one stays: it is
	 * the one of the threads and of the shutdown hook that the JDK, Spring Boot and Netty
	 * begin when they are first used, with or without the guard.
	 * @return how many there are
	 */
	private static long awaitCollected(List<WeakReference<ClassLoader>> loaders) {
		List<WeakReference<ClassLoader>> former = loaders.subList(Math.min(1, loaders.size() - 1), loaders.size() - 1);
		long start = System.nanoTime();
		long alive;
		do {
			System.gc();
			alive = former.stream().filter((loader) -> loader.get() != null).count();
		}
		while (alive > 0 && System.nanoTime() - start < MOST);
		return alive;
	}

	private static long timers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("redisson-timer"))
			.count();
	}

}
