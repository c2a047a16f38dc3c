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

package io.github.bloomguard.autoconfigure;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeSet;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties;
import io.github.bloomguard.endpoint.FilterReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a native image is told. Nothing is started.
 */
class RuntimeHintsTests {

	private static final RuntimeHints hints = new RuntimeHints();

	@BeforeAll
	static void processAheadOfTime() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of("bloom-guard.filters.products.expected-insertions=1000",
					"bloom-guard.filters.products.type=memory",
					"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
					"management.endpoints.web.exposure.include=bloomguard")
				.applyTo(context);
			context.register(Application.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get(Application.class)), new InMemoryGeneratedFiles(), hints));
		}
	}

	@Test
	void exceptionsForWhatIsMissingCanBeMade() throws Exception {
		assertThat(reflection()
			.onConstructorInvocation(EmptyResultDataAccessException.class.getConstructor(String.class, int.class)))
			.accepts(hints);
		assertThat(reflection().onConstructorInvocation(NoSuchElementException.class.getConstructor(String.class)))
			.accepts(hints);
	}

	@Test
	void guardedAndChangingMethodsCanBeCalled() {
		assertThat(reflection().onMethodInvocation(Products.class, "find")).accepts(hints);
		assertThat(reflection().onMethodInvocation(Products.class, "create")).accepts(hints);
		assertThat(reflection().onMethodInvocation(Shop.class, "products")).accepts(hints);
	}

	@Test
	void partsOfARecordThatIsAKeyCanBeRead() {
		assertThat(reflection().onMethodInvocation(ProductKey.class, "shop")).accepts(hints);
		assertThat(reflection().onMethodInvocation(ProductKey.class, "number")).accepts(hints);
	}

	@Test
	void propertiesOfWhatIsReturnedCanBeRead() {
		assertThat(reflection().onMethodInvocation(Product.class, "getId")).accepts(hints);
		assertThat(reflection().onMethodInvocation(Review.class, "getProduct")).accepts(hints);
	}

	@Test
	void methodsOfAClassThatIsGuardedAsAWholeAreKnown() {
		assertThat(reflection().onMethodInvocation(Reviews.class, "of")).accepts(hints);
		assertThat(reflection().onType(ReviewsMissingException.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Test
	void exceptionForAMissingRowCanBeMade() {
		assertThat(reflection().onType(ProductMissingException.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Test
	void emptyValuesCanBeMade() {
		assertThat(reflection().onType(TreeSet.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
			.accepts(hints);
		assertThat(reflection().onMethodInvocation(Basket.class, "empty")).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(classes = { BloomGuardProperties.class, BloomGuardProperties.Filter.class,
			BloomGuardProperties.Fallback.class, BloomGuardProperties.Verification.class,
			BloomGuardProperties.WarmUp.class, BloomGuardProperties.Rebuild.class, BloomGuardProperties.CatchUp.class,
			BloomGuardCacheProperties.class, BloomGuardCacheProperties.Cache.class })
	void propertiesCanBeBound(Class<?> properties) {
		assertThat(reflection().onConstructorInvocation(properties.getDeclaredConstructors()[0])).accepts(hints);
	}

	@Test
	void redisOfAnApplicationWithoutSpringDataCanBeBound() {
		assertThat(reflection().onType(TypeReference.of("io.github.bloomguard.autoconfigure.redis.RedisProperties")))
			.accepts(hints);
		assertThat(reflection()
			.onType(TypeReference.of("io.github.bloomguard.autoconfigure.redis.RedisProperties$Sentinel")))
			.accepts(hints);
	}

	@Test
	void reportsOfTheEndpointCanBeWrittenAsJson() {
		assertThat(reflection().onMethodInvocation(FilterReport.class, "state")).accepts(hints);
		assertThat(reflection().onMethodInvocation(FilterReport.Requests.class, "absent")).accepts(hints);
		assertThat(reflection().onType(FilterMode.class)).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(strings = { "reactor.core.publisher.Flux", "reactor.core.scheduler.NonBlocking",
			"org.springframework.data.domain.Window", "io.netty.util.concurrent.FastThreadLocalThread",
			"io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis", "org.slf4j.MDC",
			"org.redisson.spring.data.connection.RedissonConnectionFactory", "org.redisson.config.SslVerificationMode",
			"org.redisson.config.NameMapper" })
	void librariesThatAreThereAreFound(String type) {
		assertThat(reflection().onType(TypeReference.of(type))).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cache/store.lua", "backend/redis/run-id.lua", "backend/redis/control/append.lua",
			"backend/redis/module/bloom/functions.lua" })
	void scriptsForRedisCanBeRead(String file) {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/bloomguard/" + file)).accepts(hints);
	}

	@Test
	void configurationOfJedisCanBeWrapped() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(JedisClientConfiguration.class)).accepts(hints);
		assertThat(reflection().onMethodInvocation(JedisClientConfiguration.class, "getReadTimeout")).accepts(hints);
	}

	@Test
	void rootOfAnExpressionHasItsProperties() {
		assertThat(reflection().onType(TypeReference.of("io.github.bloomguard.declaration.GuardExpression$Root"))
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	private static ReflectionHintsPredicates reflection() {
		return RuntimeHintsPredicates.reflection();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Products products() {
			return new Products();
		}

		@Bean
		Reviews reviews() {
			return new Reviews();
		}

	}

	interface Shop {

		@BloomGuarded(filter = "products", keys = "#keys")
		List<Product> products(List<ProductKey> keys);

	}

	static class Products implements Shop {

		@BloomGuarded(filter = "products", missing = ProductMissingException.class)
		public Product find(ProductKey key) {
			return new Product();
		}

		@Override
		public List<Product> products(List<ProductKey> keys) {
			return List.of();
		}

		@BloomGuarded(filter = "products")
		public TreeSet<String> names(long id) {
			return new TreeSet<>();
		}

		@BloomGuarded(filter = "products")
		public Basket basket(long id) {
			return Basket.empty();
		}

		@BloomAdd(filter = "products", key = "#result.id")
		public Optional<Product> create() {
			return Optional.of(new Product());
		}

		@BloomAdd(filter = "products", keys = "#result.![product]")
		public List<Review> review() {
			return List.of();
		}

	}

	@BloomGuarded(filter = "products", missing = ReviewsMissingException.class)
	static class Reviews {

		public List<Review> of(long product) {
			return List.of();
		}

	}

	record ProductKey(String shop, long number) {

	}

	static class Product {

		public long getId() {
			return 1;
		}

	}

	static class Review {

		public long getProduct() {
			return 1;
		}

	}

	static final class Basket extends AbstractCollection<Product> {

		private Basket() {
		}

		public static Basket empty() {
			return new Basket();
		}

		@Override
		public Iterator<Product> iterator() {
			return List.<Product>of().iterator();
		}

		@Override
		public int size() {
			return 0;
		}

	}

	static class ProductMissingException extends RuntimeException {

	}

	static class ReviewsMissingException extends RuntimeException {

	}

}
