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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.List;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.annotation.AliasFor;
import org.springframework.data.repository.ListCrudRepository;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where annotations are found.
 */
class AnnotationLookupTests {

	private static GuardContext context(boolean proxyTargetClass, Class<?> component) {
		return proxyTargetClass ? GuardContext.of(component) : GuardContext.ofJdkProxies(component);
	}

	@ParameterizedTest
	@ValueSource(classes = { OnInterfaceMethod.class, OnInterface.class, OnMethod.class, OnGenericMethod.class,
			OnSuperclassMethod.class, OnClass.class, ComposedOnMethod.class })
	void annotationIsFoundWhateverTheKindOfProxy(Class<?> component) {
		for (boolean proxyTargetClass : new boolean[] { true, false }) {
			try (GuardContext context = context(proxyTargetClass, component)) {
				Finder finder = context.bean(Finder.class);
				assertThat(AopUtils.isCglibProxy(finder)).isEqualTo(proxyTargetClass);
				context.products().absent(7L);
				assertThat(finder.find(7L)).isNull();
				assertThat(finder.find(8L)).isEqualTo("product");
			}
		}
	}

	@Test
	void annotationOnAMethodBeatsThatOnTheClass() {
		try (GuardContext context = GuardContext.of(MethodBeatsClass.class)) {
			MethodBeatsClass bean = context.bean(MethodBeatsClass.class);
			bean.byClass(1);
			bean.byMethod(2);
			bean.add(3);
			assertThat(context.products().checked()).containsExactly(1L);
			assertThat(context.filter("orders").checked()).containsExactly(2L);
			assertThat(context.products().added()).containsExactly(3L);
		}
	}

	@Test
	void annotationsOnTheMethodBeatThoseOnTheInterface() {
		try (GuardContext context = GuardContext.of(MethodBeatsInterface.class)) {
			context.bean(MethodBeatsInterface.class).find(1L);
			assertThat(context.products().checked()).isEmpty();
			assertThat(context.filter("orders").checked()).containsExactly(1L);
		}
	}

	@Test
	void annotationOnAClassLeavesCallbacksAndHelpersAlone() {
		try (GuardContext context = GuardContext.of(WithCallbacks.class)) {
			WithCallbacks bean = context.bean(WithCallbacks.class);
			bean.find(1);
			assertThat(bean.toString()).isEqualTo("callbacks");
			assertThat(context.products().checked()).containsExactly(1L);
		}
	}

	@Test
	void composedAnnotationsHandOnTheirAttributesAndAddUp() {
		try (GuardContext context = GuardContext.of(Composed.class)) {
			Composed bean = context.bean(Composed.class);
			bean.find("a", 1);
			assertThat(context.products().checked()).containsExactly(1L);
			bean.findBoth("a", 2);
			assertThat(context.products().checked()).containsExactly(1L, 2L);
			assertThat(context.filter("orders").checked()).containsExactly("a");
			bean.change(3);
			assertThat(context.products().checked()).containsExactly(1L, 2L, 3L);
			assertThat(context.filter("orders").added()).containsExactly(3L);
		}
	}

	@Test
	void proxyOfAnInterfaceIsGuardedByTheInterface() {
		try (GuardContext context = GuardContext.ofJdkProxies(RepositoryFactory.class)) {
			context.products().absent(7L);
			Repository repository = context.bean(Repository.class);
			assertThat(repository.findById(7)).isNull();
			assertThat(repository.findById(8)).isEqualTo("findById");
			assertThat(context.products().checked()).containsExactly(7L, 8L);
		}
	}

	@Test
	void eachAnnotatedMethodOfARepositoryAddsTheKeysOfWhatItWrites() {
		try (GuardContext context = GuardContext.ofJdkProxies(ProductsFactory.class)) {
			ProductRepository products = context.bean(ProductRepository.class);
			products.save(new Product(1));
			assertThat(context.products().added()).containsExactly(1L);
			products.saveAll(List.of(new Product(2), new Product(3)));
			assertThat(context.products().added()).containsExactly(1L, 2L, 3L);
		}
	}

	@Test
	void finalMethodAndFinalClassAreGuardedBehindAnInterface() {
		for (Class<?> component : new Class<?>[] { FinalMethod.class, FinalClass.class, RecordFinder.class }) {
			try (GuardContext context = GuardContext.ofJdkProxies(component)) {
				context.products().absent(7L);
				assertThat(context.bean(Finder.class).find(7L)).isNull();
				assertThat(context.bean(Finder.class).find(8L)).isEqualTo("product");
			}
		}
	}

	@Test
	void annotationOnAClassLeavesMethodsAloneThatItsInterfaceHides() {
		try (GuardContext context = GuardContext.ofJdkProxies(ClassWithHiddenMethod.class)) {
			context.products().absent(7L);
			assertThat(context.bean(Finder.class).find(7L)).isNull();
		}
	}

	@Test
	void packagePrivateMethodIsGuarded() {
		try (GuardContext context = GuardContext.of(PackagePrivate.class)) {
			context.products().absent(7L);
			assertThat(context.bean(PackagePrivate.class).find(7L)).isNull();
		}
	}

	@Test
	void beanWithoutAnnotationsIsNoProxy() {
		try (GuardContext context = GuardContext.of(Plain.class)) {
			assertThat(AopUtils.isAopProxy(context.bean(Plain.class))).isFalse();
		}
	}

	interface Finder {

		@Nullable String find(Long id);

	}

	interface AnnotatedFinder extends Finder {

		@Override
		@BloomGuarded(filter = "products", key = "#id")
		@Nullable String find(Long id);

	}

	static class OnInterfaceMethod implements AnnotatedFinder {

		@Override
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	@BloomGuarded("products")
	interface AnnotatedInterface extends Finder {

	}

	static class OnInterface implements AnnotatedInterface {

		@Override
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	static class OnMethod implements Finder {

		@Override
		@BloomGuarded("products")
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	interface GenericFinder<K> {

		@BloomGuarded(filter = "products", key = "#key")
		@Nullable String find(K key);

	}

	static class OnGenericMethod implements GenericFinder<Long>, Finder {

		@Override
		public @Nullable String find(Long key) {
			return "product";
		}

	}

	static class OnSuperclassMethod extends OnMethod {

		@Override
		public @Nullable String find(Long id) {
			return super.find(id);
		}

	}

	@BloomGuarded("products")
	static class OnClass implements Finder {

		@Override
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	static class FinalMethod implements Finder {

		@Override
		@BloomGuarded("products")
		public final @Nullable String find(Long id) {
			return "product";
		}

	}

	static final class FinalClass implements AnnotatedFinder {

		@Override
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	record RecordFinder() implements Finder {

		@Override
		@BloomGuarded("products")
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	@BloomGuarded("products")
	static class ClassWithHiddenMethod implements Finder {

		@Override
		public @Nullable String find(Long id) {
			return "product";
		}

		public final String findHidden(Long id) {
			return "product";
		}

	}

	static class PackagePrivate {

		@BloomGuarded("products")
		@Nullable String find(long id) {
			return "product";
		}

	}

	static class ComposedOnMethod implements Finder {

		@Override
		@GuardedProduct(id = "#p0")
		public @Nullable String find(Long id) {
			return "product";
		}

	}

	@BloomGuarded("products")
	static class MethodBeatsClass {

		public String byClass(long id) {
			return "product";
		}

		@BloomGuarded("orders")
		public String byMethod(long id) {
			return "order";
		}

		@BloomAdd("products")
		public void add(long id) {
		}

	}

	static class MethodBeatsInterface implements AnnotatedFinder {

		@Override
		@BloomGuarded("orders")
		public @Nullable String find(Long id) {
			return "order";
		}

	}

	@BloomGuarded("products")
	static class WithCallbacks implements InitializingBean, BeanNameAware, AutoCloseable {

		@Override
		public void afterPropertiesSet() {
		}

		@Override
		public void setBeanName(String name) {
		}

		@Override
		public void close() {
		}

		public @Nullable String find(long id) {
			help();
			return "product";
		}

		private void help() {
		}

		@Override
		public String toString() {
			return "callbacks";
		}

	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@BloomGuarded("products")
	@interface GuardedProduct {

		@AliasFor(annotation = BloomGuarded.class, attribute = "key")
		String id();

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@BloomGuarded(filter = "products", key = "#id")
	@BloomGuarded(filter = "orders", key = "#name")
	@interface GuardedTwice {

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@BloomGuarded("products")
	@BloomAdd("orders")
	@interface GuardedAndAdded {

	}

	static class Composed {

		@GuardedProduct(id = "#id")
		public String find(String name, long id) {
			return "product";
		}

		@GuardedTwice
		public String findBoth(String name, long id) {
			return "product";
		}

		@GuardedAndAdded
		public String change(long id) {
			return "product";
		}

	}

	interface Repository {

		@BloomGuarded("products")
		@Nullable String findById(long id);

	}

	static class RepositoryFactory implements FactoryBean<Repository> {

		@Override
		public Repository getObject() {
			return (Repository) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Repository.class },
					(proxy, method, args) -> method.getName());
		}

		@Override
		public Class<?> getObjectType() {
			return Repository.class;
		}

	}

	record Product(long id) {

	}

	interface ProductRepository extends ListCrudRepository<Product, Long> {

		@Override
		@BloomAdd(filter = "products", key = "#result.id")
		<S extends Product> S save(S product);

		@Override
		@BloomAdd(filter = "products", keys = "#result.![id]")
		<S extends Product> List<S> saveAll(Iterable<S> products);

	}

	static class ProductsFactory implements FactoryBean<ProductRepository> {

		@Override
		public ProductRepository getObject() {
			return (ProductRepository) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { ProductRepository.class }, (proxy, method, args) -> args[0]);
		}

		@Override
		public Class<?> getObjectType() {
			return ProductRepository.class;
		}

	}

	static class Plain {

		public @Nullable String find(long id) {
			return "product";
		}

	}

}
