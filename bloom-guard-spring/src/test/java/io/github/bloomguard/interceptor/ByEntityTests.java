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

import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for annotations of generic classes that ask for the filter of the entity.
 */
class ByEntityTests {

	@ParameterizedTest
	@ValueSource(classes = { ProductService.class, FeaturedProductService.class, OverridingService.class })
	void annotationOfTheBaseClassGuardsEachSubclassByTheFilterOfItsEntity(
			Class<? extends Service<ProductMapper, Product>> type) {
		try (GuardContext context = GuardContext.of(type)) {
			Service<ProductMapper, Product> products = context.bean(type);
			context.products().absent(7L);
			assertThat(products.getById(7L)).isNull();
			assertThat(products.existsById(7L)).isFalse();
			assertThat(products.listByIds(List.of(7L))).isEmpty();
			assertThat(products.getById(8L)).isNotNull();
			assertThat(context.products().checked()).containsExactly(7L, 7L, 8L);
			assertThat(context.products().ttls()).contains(Duration.ofSeconds(42));
		}
	}

	@Test
	void classWhoseEntityHasNoFilterIsNotGuarded() {
		try (GuardContext context = GuardContext.of(OrderService.class, FeaturedProductService.class)) {
			assertThat(AopUtils.isAopProxy(context.bean(OrderService.class))).isFalse();
			assertThat(AopUtils.isAopProxy(context.bean(FeaturedProductService.class))).isTrue();
		}
	}

	@Test
	void filterOfAnotherTypeArgumentThanTheReturnedOneIsNotAsked() {
		try (GuardContext context = GuardContext.of(ProductsOfOrders.class)) {
			assertThat(context.bean(ProductsOfOrders.class).getById(7L)).isNotNull();
			assertThat(AopUtils.isAopProxy(context.bean(ProductsOfOrders.class))).isFalse();
		}
	}

	@Test
	void genericRepositoryIsGuardedInEachInterface() {
		try (GuardContext context = GuardContext.ofJdkProxies(ProductRepositoryFactory.class)) {
			ProductRepository products = context.bean(ProductRepository.class);
			context.products().absent(new ProductId(7));
			assertThat(products.findById(new ProductId(7))).isEmpty();
			assertThat(products.existsById(new ProductId(7))).isFalse();
			assertThat(context.products().checked()).hasSize(2);
		}
	}

	@Test
	void entityThatSeveralFiltersHaveIsRefused() {
		assertThat(refused(CustomerService.class).getProblem()).contains("@BloomGuarded(byEntity = \"true\")",
				"on ByEntityTests.Service.", CustomerService.class.getName(), Customer.class.getName(),
				"[customers, orders]");
		assertThat(refused(CustomerService.class).getRemedy()).contains("override the method in",
				CustomerService.class.getName(), "@BloomGuarded(filter = \"customers\")");
	}

	@Test
	void entityThatCanNotBeToldIsRefused() {
		assertThat(refused(RawService.class).getProblem()).contains("has no type argument that is an entity");
		assertThat(refused(Ambiguous.class).getProblem()).contains("may be about each of", Order.class.getName(),
				Product.class.getName());
	}

	@Test
	void nameBesidesIsRefused() {
		assertThat(refused(Named.class).getProblem()).contains("filter = \"products\"", "has byEntity = true as well");
	}

	private static InvalidGuardException refused(Class<?> type) {
		try (GuardContext context = GuardContext.of(type)) {
			throw new AssertionError("Has started: " + context);
		}
		catch (BeanCreationException ex) {
			assertThat(ex).hasRootCauseInstanceOf(InvalidGuardException.class);
			return (InvalidGuardException) ex.getCause();
		}
	}

	static class Product {

	}

	static class Customer {

	}

	static class Order {

	}

	record ProductId(long value) {

	}

	interface ProductMapper {

	}

	static class Service<M, T> {

		@BloomGuarded(byEntity = true, emptyTtl = "${products.empty-ttl}")
		public @Nullable T getById(Serializable id) {
			return found();
		}

		@BloomGuarded(byEntity = true)
		public boolean existsById(Serializable id) {
			return true;
		}

		@BloomGuarded(byEntity = true, keys = "#ids")
		public List<T> listByIds(List<Long> ids) {
			return List.of();
		}

		@SuppressWarnings("unchecked")
		T found() {
			return (T) new Product();
		}

	}

	static class ProductService extends Service<ProductMapper, Product> {

	}

	static class FeaturedProductService extends ProductService implements Comparable<Customer> {

		@Override
		public int compareTo(Customer other) {
			return 0;
		}

	}

	static class OverridingService extends ProductService {

		@Override
		public @Nullable Product getById(Serializable id) {
			return super.getById(id);
		}

	}

	static class OrderService extends Service<ProductMapper, Order> {

	}

	static class CustomerService extends Service<ProductMapper, Customer> {

	}

	@SuppressWarnings("rawtypes")
	static class RawService extends Service {

	}

	static class Related<P, C> {

		@BloomGuarded(byEntity = true)
		public @Nullable P getById(long id) {
			return parent();
		}

		@SuppressWarnings("unchecked")
		P parent() {
			return (P) new Order();
		}

	}

	static class ProductsOfOrders extends Related<Order, Product> {

	}

	static class Countable<P, C> {

		@BloomGuarded(byEntity = true)
		public long countById(long id) {
			return 1;
		}

	}

	static class Ambiguous extends Countable<Order, Product> {

	}

	static class Named {

		@BloomGuarded(filter = "products", byEntity = true)
		public @Nullable Product find(long id) {
			return null;
		}

	}

	interface Repository<T, ID> {

		@BloomGuarded(byEntity = true)
		Optional<T> findById(ID id);

		@BloomGuarded(byEntity = true)
		boolean existsById(ID id);

	}

	interface ProductRepository extends Repository<Product, ProductId> {

	}

	/**
	 * Makes what Spring Data makes of an interface.
	 */
	static class ProductRepositoryFactory implements FactoryBean<ProductRepository> {

		@Override
		public ProductRepository getObject() {
			return (ProductRepository) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { ProductRepository.class }, (proxy, method, arguments) -> {
						throw new IllegalStateException("is called");
					});
		}

		@Override
		public Class<?> getObjectType() {
			return ProductRepository.class;
		}

	}

}
