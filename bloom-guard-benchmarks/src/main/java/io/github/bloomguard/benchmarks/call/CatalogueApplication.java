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

package io.github.bloomguard.benchmarks.call;

import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.WrittenFilter;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;

/**
 * An auto-configured application with caches in maps and a filter in memory.
 */
public final class CatalogueApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private CatalogueApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start the application.
	 * @param answers who answers calls: {@code memory}, the filter in memory, or
	 * {@code stub}, which takes the place of all that is behind the interceptor
	 * @param properties more properties, as {@code name=value}
	 * @return the application, ready to answer
	 */
	public static CatalogueApplication start(String answers, String... properties) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.profiles(answers)
			.properties("spring.cache.type=simple", "bloom-guard.filters.products.type=memory",
					"bloom-guard.filters.products.expected-insertions=3000",
					"bloom-guard.filters.products.verification.required-calls=0",
					"bloom-guard.filters.products.rebuild.settle=0s", "spring.main.banner-mode=off",
					"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
			.properties(properties)
			.run();
		context.getBean(BloomGuard.class).rebuild("products").join();
		return new CatalogueApplication(context);
	}

	/**
	 * Return the proxy.
	 * @return the catalogue
	 */
	public Catalogue catalogue() {
		return this.context.getBean(Catalogue.class);
	}

	/**
	 * Return whether the filter calls a key absent.
	 * @param id the key
	 * @return {@code false} also if what was looked up has contradicted it
	 */
	public boolean isAbsent(long id) {
		return !this.context.getBean(BloomGuard.class).mightContain("products", id);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Catalogue catalogue() {
			return new Catalogue();
		}

		@Bean
		KeySource products() {
			return new KeySource() {

				@Override
				public String filter() {
					return "products";
				}

				@Override
				public Stream<?> keys() {
					return LongStream.rangeClosed(1_234_001, 1_235_000)
						.boxed()
						.flatMap((id) -> Stream.of(id, "article-" + id, new UUID(id, id)));
				}

			};
		}

		@Bean
		@Primary
		@Profile("stub")
		GuardedFilters stub() {
			return new GuardedFilters() {

				@Override
				public GuardedFilter get(String name) {
					return new StubFilter(name);
				}

				@Override
				public WrittenFilter written(String name) {
					throw new UnsupportedOperationException("Nothing is written");
				}

			};
		}

	}

}
