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

package io.github.bloomguard.interceptor;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows that neither Reactor nor Reactive Streams is needed, nor Spring Data or Spring's
 * HTTP.
 */
class WithoutOptionalLibrariesTests {

	private static final List<String> MISSING = List.of("reactor", "reactive-streams", "rxjava", "spring-data",
			"spring-web");

	@Test
	void methodsAreGuardedWithoutThem() throws Exception {
		assertThat(run(Scenario.class)).isEqualTo("null 8 [9]");
	}

	@Test
	void suspendFunctionIsRefusedWithoutWhatSpringNeedsToInterceptIt() throws Exception {
		assertThat(run(SuspendScenario.class)).contains("SuspendProducts.find(long) is a suspend function")
			.contains("add org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
	}

	@SuppressWarnings("unchecked")
	private static String run(Class<? extends Callable<String>> type) throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (MISSING.stream().noneMatch(element::contains)) {
				classPath.add(new File(element).toURI().toURL());
			}
		}
		try (URLClassLoader loader = new URLClassLoader(classPath.toArray(new URL[0]),
				ClassLoader.getPlatformClassLoader())) {
			assertThat(ClassUtils.isPresent("reactor.core.publisher.Mono", loader)).isFalse();
			Thread thread = Thread.currentThread();
			ClassLoader before = thread.getContextClassLoader();
			thread.setContextClassLoader(loader);
			try {
				Callable<String> scenario = (Callable<String>) loader.loadClass(type.getName())
					.getDeclaredConstructor()
					.newInstance();
				return scenario.call();
			}
			finally {
				thread.setContextClassLoader(before);
			}
		}
	}

	/**
	 * Is run by a class loader that doesn't see them.
	 */
	public static class Scenario implements Callable<String> {

		@Override
		public String call() {
			try (GuardContext context = GuardContext.of(Products.class)) {
				Products products = context.bean(Products.class);
				context.products().absent(7L);
				products.add(9);
				return products.find(7) + " " + products.find(8) + " " + context.products().added();
			}
		}

	}

	/**
	 * Is run by a class loader that doesn't see them.
	 */
	public static class SuspendScenario implements Callable<String> {

		@Override
		public String call() {
			try {
				GuardContext.of(SuspendProducts.class).close();
				return "started";
			}
			catch (BeanCreationException ex) {
				return String.valueOf(ex.getMessage());
			}
		}

	}

	static class Products {

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return String.valueOf(id);
		}

		@BloomAdd("products")
		public void add(long id) {
		}

	}

	/**
	 * Has what a {@code suspend} function is compiled to.
	 */
	static class SuspendProducts {

		@BloomGuarded("products")
		public Object find(long id, Continuation<? super String> continuation) {
			return String.valueOf(id);
		}

	}

}
