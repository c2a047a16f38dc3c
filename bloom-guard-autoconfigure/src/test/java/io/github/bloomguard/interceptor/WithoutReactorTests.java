package io.github.bloomguard.interceptor;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows that neither Reactor nor Reactive Streams is needed.
 */
class WithoutReactorTests {

	@Test
	@SuppressWarnings("unchecked")
	void methodsAreGuardedWithoutReactor() throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (!element.contains("reactor") && !element.contains("reactive-streams") && !element.contains("rxjava")) {
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
				Callable<String> scenario = (Callable<String>) loader.loadClass(Scenario.class.getName())
					.getDeclaredConstructor()
					.newInstance();
				assertThat(scenario.call()).isEqualTo("null 8 [9]");
			}
			finally {
				thread.setContextClassLoader(before);
			}
		}
	}

	/**
	 * Is run by a class loader that doesn't see Reactor.
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

	static class Products {

		@BloomGuarded("products")
		public String find(long id) {
			return String.valueOf(id);
		}

		@BloomAdd("products")
		public void add(long id) {
		}

	}

}
