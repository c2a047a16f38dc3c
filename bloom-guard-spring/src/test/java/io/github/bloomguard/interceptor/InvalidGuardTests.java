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

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.PackagePrivateFinder;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.geo.GeoPage;
import org.springframework.http.HttpEntity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for annotations that stop the application while it starts.
 */
class InvalidGuardTests {

	private static InvalidGuardException failure(boolean proxyTargetClass, Class<?> component) {
		Throwable failure = assertThatException().isThrownBy(() -> {
			GuardContext context = proxyTargetClass ? GuardContext.of(component) : GuardContext.ofJdkProxies(component);
			context.close();
		}).actual();
		while (!(failure instanceof InvalidGuardException)) {
			assertThat(failure).isNotNull();
			failure = failure.getCause();
		}
		return (InvalidGuardException) failure;
	}

	static Stream<Arguments> failures() {
		return Stream.of(
				Arguments.of(NoFilter.class, "@BloomGuarded on InvalidGuardTests.NoFilter.find(long) names no filter",
						"one of the filters configured under bloom-guard.filters: customers, orders, products"),
				Arguments.of(UnknownFilter.class,
						"@BloomGuarded(filter = \"produkt\") on InvalidGuardTests.UnknownFilter.find(long)"
								+ " names a filter that is not configured",
						"one of the filters configured under bloom-guard.filters: customers, orders, products"),
				Arguments.of(StrangeFilter.class, "(filter = \"warehouse\")", "bloom-guard.filters.warehouse"),
				Arguments.of(BadKey.class,
						"@BloomGuarded(key = \"#id +\") on InvalidGuardTests.BadKey.find(long)"
								+ " is not a SpEL expression",
						"#id"),
				Arguments.of(BadCondition.class, "(condition = \"#id >\")", "#id"),
				Arguments.of(UnknownVariable.class,
						"(key = \"#ident\") on InvalidGuardTests.UnknownVariable.find(long)"
								+ " uses #ident, which is no parameter",
						"one of #a0, #p0, #id, #root"),
				Arguments.of(UnknownVariableInCondition.class, "uses #ident, which is no parameter", "#id"),
				Arguments.of(UnknownFunction.class, "uses #hash, which is no parameter", "#id"),
				Arguments.of(ResultBefore.class, "uses #result, which there is not", "#id"),
				Arguments.of(ResultOfNothing.class, "uses #result, but the method returns nothing", "parameter"),
				Arguments.of(ForgottenHash.class, "uses id, which is no property of #root", "write #id"),
				Arguments.of(UnknownRootProperty.class, "uses caches, which is no property of #root", "methodName"),
				Arguments.of(NoKeyOfTwo.class, "has no key, and the method has 2 parameters", "key = \"#name\""),
				Arguments.of(NoKeyOfNone.class, "has no key, and the method has 0 parameters", "key = \"#name\""),
				Arguments.of(KeyAndKeys.class, "has both key = \"#id\" and keys = \"#ids\"", "Collection"),
				Arguments.of(KeysExpression.class, "(keys = \"#ids.![length]\")", "#name, #p0 or #a0"),
				Arguments.of(UnknownKeys.class, "(keys = \"#idz\")", "#name, #p0 or #a0"),
				Arguments.of(KeysOfOne.class, "names a parameter of type java.lang.Long", "Collection or an array"),
				Arguments.of(KeysOfMap.class, "names a parameter of type java.util.Map", "Collection or an array"),
				Arguments.of(KeysOfOwnType.class, "of which the guard can't make another one", "Collection, List"),
				Arguments.of(IgnoringCase.class, "findByNameIgnoreCase(String) finds rows in any case",
						"key = \"#name.toLowerCase()\""),
				Arguments.of(IgnoringCaseOfMany.class, "finds rows in any case", "keys in lower case"),
				Arguments.of(VoidReturn.class, "returns void", "returns it"),
				Arguments.of(BoxedVoidReturn.class, "returns java.lang.Void", "returns it"),
				Arguments.of(VoidFuture.class, "so there is nothing that the guard could leave out", "returns it"),
				Arguments.of(VoidMono.class, "so there is nothing that the guard could leave out", "returns it"),
				Arguments.of(NoValue.class, "so there is nothing that the guard could leave out", "returns it"),
				Arguments.of(PrimitiveReturn.class, "returns char, which has no empty value", "return Character"),
				Arguments.of(PrimitiveReturn.class, "", "missing = NotFoundException.class"),
				Arguments.of(OtherSpelling.class,
						"@BloomGuarded(filter = \"Products\") on InvalidGuardTests.OtherSpelling.find(long) names a filter"
								+ " whose name is spelt 'products'",
						"write filter = \"products\", or write bloom-guard.filters.Products instead of products"),
				Arguments.of(PriceReturn.class,
						"PriceReturn.priceOf(long) returns double, and 0 for an absent key may be wrong",
						"return Double (then null) or an Optional, or name an exception to throw, such as missing ="
								+ " NotFoundException.class; if 0 is how many there are, let the name of the method"
								+ " begin with count"),
				Arguments.of(CountryReturn.class, "countryOf(long) returns int, and 0", "return Integer"),
				Arguments.of(FreeReturn.class,
						"FreeReturn.isNameFree(String) returns boolean, and false for an absent key says that it is"
								+ " there",
						"such as exists, and negate what that returns; or return Boolean (then null)"),
				Arguments.of(SingleReturn.class, "which can't be empty", "Maybe"),
				Arguments.of(ParallelReturn.class, "of which the guard can't make one", "return Publisher"),
				Arguments.of(OwnFutureReturn.class, "of which the guard can't make one", "return CompletableFuture"),
				Arguments.of(OwnListReturn.class, "of which the guard can't make an empty one", "interface"),
				Arguments.of(OwnPageReturn.class, "of which the guard can't make an empty one", "interface"),
				Arguments.of(HttpReturn.class, "and an empty one is an answer with status 200",
						"guard the method that it calls"),
				Arguments.of(HttpMono.class, "and an empty one is an answer with status 200",
						"guard the method that it calls"),
				Arguments.of(HttpFuture.class, "and an empty one is an answer with status 200",
						"guard the method that it calls"),
				Arguments.of(MissingOfAnything.class,
						"@BloomGuarded(missing = \"java.lang.RuntimeException\") on"
								+ " InvalidGuardTests.MissingOfAnything.find(long) takes each failure",
						"thrown for nothing else"),
				Arguments.of(MissingOfTwo.class, "names an exception that the guard can't make",
						"a constructor with a String"),
				Arguments.of(MissingAbstract.class, "names an exception that the guard can't make", "not abstract"),
				Arguments.of(MissingVoid.class, "so there is nothing that the guard could leave out", "returns it"),
				Arguments.of(NoDuration.class,
						"@BloomGuarded(emptyTtl = \"soon\") on"
								+ " InvalidGuardTests.NoDuration.find(long) is not a duration",
						"30s or PT30S"),
				Arguments.of(NegativeDuration.class, "(emptyTtl = \"-1s\")", "0s to remember nothing"),
				Arguments.of(UnknownPlaceholder.class, "(emptyTtl = \"${unknown}\")", "30s"),
				Arguments.of(PrivateMethod.class, "is on a private or static method", "other beans"),
				Arguments.of(GuardedAndAdding.class,
						"@BloomGuarded on InvalidGuardTests.GuardedAndAdding.find(long) is on a method that adds keys to"
								+ " the filter 'products' as well, so a read would fail while Redis does not answer",
						"@BloomAdd on the method that writes the row"),
				Arguments.of(FinalMethod.class,
						"@BloomAdd on InvalidGuardTests.FinalMethod.add(long) is on a final method", "remove final"),
				Arguments.of(FinalMethodOfInterface.class,
						"FinalMethodOfInterface.findFirst(long) is on a final method", "kotlin-spring"),
				Arguments.of(FinalMethodOfFinder.class, "PlainFinal.findFirst(long) is on a final method", "open"),
				Arguments.of(FinalMethodOfClassLevel.class, "FinalMethodOfClassLevel.find(long) is on a final method",
						"remove final"),
				Arguments.of(EarlyFinalMethod.class, "EarlyFinalMethod.find(long) is on a final method",
						"remove final"),
				Arguments.of(InvisibleMethod.class,
						"@BloomGuarded on PackagePrivateFinder.find(long) is on a method that the proxy", "public"),
				Arguments.of(FinalClass.class, "FinalClass.find(long) is on a method of a final class", "remove final"),
				Arguments.of(RecordBean.class, "RecordBean.find(long) is on a method of a final class",
						"a record or an enum needs an interface"),
				Arguments.of(EnumConfiguration.class, "EnumBean.find(long) is on a method of a final class",
						"a record or an enum needs an interface"),
				Arguments.of(ClassLevel.class,
						"@BloomGuarded on InvalidGuardTests.ClassLevel.delete(long) returns void", "returns it"),
				Arguments.of(SecondMethod.class, "SecondMethod.findSecond(long) names a filter", "products"),
				Arguments.of(AddNoFilter.class, "@BloomAdd on InvalidGuardTests.AddNoFilter.add(long) names no filter",
						"@BloomAdd(filter"),
				Arguments.of(AddUnknownVariable.class, "@BloomAdd(key = \"#ident\")", "#id, #result, #root"),
				Arguments.of(AddUnknownProperty.class,
						"@BloomAdd(key = \"#result.nope\") on InvalidGuardTests.AddUnknownProperty.add(long)"
								+ " uses nope, which is no property of",
						"use a property that it has"),
				Arguments.of(AddUnknownPropertyOfElements.class, "uses idd, which is no property of",
						"did you mean id?"),
				Arguments.of(AddElementsOfEach.class, "takes elements of java.lang.Long, which has none",
						"of a Flux, #result is each element"),
				Arguments.of(AddUnknownPropertyInCondition.class, "@BloomAdd(condition = \"#result.nope > 1\")",
						"use a property that it has"),
				Arguments.of(UnknownPropertyOfParameter.class, "uses nope, which is no property of",
						"use a property that it has"),
				Arguments.of(AddKeyAndKeys.class, "has both key = \"#id\" and keys = \"#ids\"", "keys for"),
				Arguments.of(AddKeysOfOne.class,
						"@BloomAdd(keys = \"#result.id\") on InvalidGuardTests.AddKeysOfOne.add(long)"
								+ " gives one java.lang.Long instead of many keys",
						"write key"),
				Arguments.of(AddKeysOfBytes.class, "gives one [B instead of many keys", "write key"),
				Arguments.of(AddKeysOfNothing.class, "uses #result, but the method returns nothing", "parameter"),
				Arguments.of(AddKeyOfElements.class,
						"@BloomAdd(key = \"#result.![id]\") on InvalidGuardTests.AddKeyOfElements.add(long)"
								+ " gives many elements, which would be the parts of one key",
						"write keys = \"#result.![id]\""),
				Arguments.of(AddResultOfNothingLater.class, "uses #result, but the method returns nothing",
						"parameter"),
				Arguments.of(AddPlainFuture.class, "returns java.util.concurrent.Future", "CompletableFuture"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void applicationDoesNotStart(Class<?> component, String problem, String remedy) {
		InvalidGuardException failure = failure(true, component);
		assertThat(failure.getProblem()).contains(problem);
		assertThat(failure.getRemedy()).contains(remedy);
	}

	@Test
	void applicationDoesNotStartWithAWrongMethodBehindAnInterfaceEither() {
		assertThat(failure(false, SecondMethodBehindInterface.class)).hasMessageContaining("findSecond(long)");
	}

	@Test
	void applicationDoesNotStartWithAMethodThatNoInterfaceDeclaresBehindInterfaces() {
		assertThat(failure(false, MethodBesideInterface.class))
			.hasMessageContaining("MethodBesideInterface.find(long) is on a method of no interface")
			.hasMessageContaining("spring.aop.proxy-target-class");
	}

	@Test
	void applicationDoesNotStartWithAFinalClassThatIsToBeSubclassed() {
		assertThatException().isThrownBy(() -> GuardContext.of(FinalClassWithInterface.class).close())
			.withMessageContaining("final class");
	}

	static class IgnoringCase {

		@BloomGuarded("products")
		public @Nullable String findByNameIgnoreCase(String name) {
			return name;
		}

		@BloomGuarded(filter = "products", key = "#name.toLowerCase()")
		public @Nullable String findByTitleIgnoreCase(String name) {
			return name;
		}

	}

	static class IgnoringCaseOfMany {

		@BloomGuarded(filter = "products", keys = "#names")
		public List<String> findAllByNameIgnoringCaseIn(List<String> names) {
			return names;
		}

	}

	static class NoFilter {

		@BloomGuarded
		public String find(long id) {
			return "";
		}

	}

	static class UnknownFilter {

		@BloomGuarded("produkt")
		public String find(long id) {
			return "";
		}

	}

	static class StrangeFilter {

		@BloomGuarded("warehouse")
		public String find(long id) {
			return "";
		}

	}

	static class BadKey {

		@BloomGuarded(filter = "products", key = "#id +")
		public String find(long id) {
			return "";
		}

	}

	static class BadCondition {

		@BloomGuarded(filter = "products", condition = "#id >")
		public String find(long id) {
			return "";
		}

	}

	static class UnknownVariable {

		@BloomGuarded(filter = "products", key = "#ident")
		public String find(long id) {
			return "";
		}

	}

	static class UnknownVariableInCondition {

		@BloomGuarded(filter = "products", condition = "#id > 0 and #ident != null")
		public String find(long id) {
			return "";
		}

	}

	static class UnknownFunction {

		@BloomGuarded(filter = "products", key = "#hash(#id)")
		public String find(long id) {
			return "";
		}

	}

	static class ResultBefore {

		@BloomGuarded(filter = "products", key = "#result.id")
		public String find(long id) {
			return "";
		}

	}

	static class ResultOfNothing {

		@BloomAdd(filter = "products", key = "#result.id")
		public void add(long id) {
		}

	}

	static class ForgottenHash {

		@BloomGuarded(filter = "products", key = "id")
		public String find(long id) {
			return "";
		}

	}

	static class UnknownRootProperty {

		@BloomGuarded(filter = "products", key = "#root.caches[0].name")
		public String find(long id) {
			return "";
		}

	}

	static class NoKeyOfTwo {

		@BloomGuarded("products")
		public String find(long id, String name) {
			return "";
		}

	}

	static class NoKeyOfNone {

		@BloomGuarded("products")
		public String find() {
			return "";
		}

	}

	static class KeyAndKeys {

		@BloomGuarded(filter = "products", key = "#id", keys = "#ids")
		public String find(long id, List<Long> ids) {
			return "";
		}

	}

	static class KeysExpression {

		@BloomGuarded(filter = "products", keys = "#ids.![length]")
		public String find(List<String> ids) {
			return "";
		}

	}

	static class UnknownKeys {

		@BloomGuarded(filter = "products", keys = "#idz")
		public String find(List<String> ids) {
			return "";
		}

	}

	static class KeysOfOne {

		@BloomGuarded(filter = "products", keys = "#id")
		public String find(Long id) {
			return "";
		}

	}

	static class KeysOfMap {

		@BloomGuarded(filter = "products", keys = "#ids")
		public String find(Map<String, String> ids) {
			return "";
		}

	}

	static class KeysOfOwnType {

		@BloomGuarded(filter = "products", keys = "#ids")
		public String find(OwnList ids) {
			return "";
		}

	}

	static class VoidReturn {

		@BloomGuarded("products")
		public void find(long id) {
		}

	}

	static class BoxedVoidReturn {

		@BloomGuarded("products")
		public Void find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class VoidFuture {

		@BloomGuarded("products")
		public CompletableFuture<Void> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class VoidMono {

		@BloomGuarded("products")
		public Mono<Void> find(long id) {
			return Mono.empty();
		}

	}

	static class NoValue {

		@BloomGuarded("products")
		public Completable find(long id) {
			return Completable.complete();
		}

	}

	static class PrimitiveReturn {

		@BloomGuarded("products")
		public char find(long id) {
			return 'a';
		}

	}

	static class OtherSpelling {

		@BloomGuarded("Products")
		public @Nullable String find(long id) {
			return null;
		}

	}

	static class PriceReturn {

		@BloomGuarded("products")
		public double priceOf(long id) {
			return 9.99;
		}

	}

	static class CountryReturn {

		@BloomGuarded("products")
		public int countryOf(long id) {
			return 49;
		}

	}

	static class FreeReturn {

		@BloomGuarded("products")
		public boolean isNameFree(String name) {
			return true;
		}

	}

	static class SingleReturn {

		@BloomGuarded("products")
		public Single<String> find(long id) {
			return Single.just("");
		}

	}

	static class ParallelReturn {

		@BloomGuarded("products")
		public ParallelFlux<String> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class OwnFutureReturn {

		@BloomGuarded("products")
		public OwnFuture find(long id) {
			return new OwnFuture();
		}

	}

	static class OwnFuture extends CompletableFuture<String> {

	}

	static class OwnListReturn {

		@BloomGuarded("products")
		public OwnList find(long id) {
			return new OwnList(1);
		}

	}

	static class OwnList extends AbstractList<String> {

		OwnList(int size) {
		}

		@Override
		public String get(int index) {
			throw new IndexOutOfBoundsException(index);
		}

		@Override
		public int size() {
			return 0;
		}

	}

	static class OwnPageReturn {

		@BloomGuarded("products")
		public GeoPage<String> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class HttpReturn {

		@BloomGuarded("products")
		public HttpEntity<String> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class HttpMono {

		@BloomGuarded("products")
		public Mono<HttpEntity<String>> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class HttpFuture {

		@BloomGuarded("products")
		public CompletableFuture<HttpEntity<String>> find(long id) {
			throw new UnsupportedOperationException();
		}

	}

	static class MissingOfAnything {

		@BloomGuarded(filter = "products", missing = RuntimeException.class)
		public String find(long id) {
			return "";
		}

	}

	static class MissingOfTwo {

		@BloomGuarded(filter = "products", missing = OfTwo.class)
		public String find(long id) {
			return "";
		}

	}

	static class OfTwo extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OfTwo(String message, long id) {
			super(message + id);
		}

	}

	static class MissingAbstract {

		@BloomGuarded(filter = "products", missing = Abstract.class)
		public String find(long id) {
			return "";
		}

	}

	abstract static class Abstract extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	static class MissingVoid {

		@BloomGuarded(filter = "products", missing = NoSuchElementException.class)
		public void find(long id) {
		}

	}

	static class NoDuration {

		@BloomGuarded(filter = "products", emptyTtl = "soon")
		public String find(long id) {
			return "";
		}

	}

	static class NegativeDuration {

		@BloomGuarded(filter = "products", emptyTtl = "-1s")
		public String find(long id) {
			return "";
		}

	}

	static class UnknownPlaceholder {

		@BloomGuarded(filter = "products", emptyTtl = "${unknown}")
		public String find(long id) {
			return "";
		}

	}

	static class GuardedAndAdding {

		@BloomGuarded("products")
		@BloomAdd("products")
		public String find(long id) {
			return "product " + id;
		}

	}

	static class PrivateMethod {

		@BloomGuarded("products")
		@SuppressWarnings("unused")
		private String find(long id) {
			return "";
		}

	}

	static class FinalMethod {

		@BloomAdd("products")
		public final void add(long id) {
		}

	}

	static class FinalMethodOfInterface implements Finding {

		@Override
		@BloomGuarded("products")
		public final String findFirst(long id) {
			return "";
		}

		@Override
		public String findSecond(long id) {
			return "";
		}

	}

	@BloomGuarded("products")
	interface Finder {

		String findFirst(long id);

	}

	static class PlainFinal {

		public final String findFirst(long id) {
			return "";
		}

	}

	static class FinalMethodOfFinder extends PlainFinal implements Finder {

	}

	@BloomGuarded("products")
	static class FinalMethodOfClassLevel {

		public final String find(long id) {
			return "";
		}

	}

	static class EarlyFinalMethod {

		@Autowired
		@SuppressWarnings("unused")
		private EarlyFinalMethod self;

		@BloomGuarded("products")
		public final String find(long id) {
			return "";
		}

	}

	static class InvisibleMethod extends PackagePrivateFinder {

	}

	static final class FinalClass implements InitializingBean {

		@BloomGuarded("products")
		public String find(long id) {
			return "";
		}

		@Override
		public void afterPropertiesSet() {
		}

	}

	record RecordBean() {

		@BloomGuarded("products")
		public String find(long id) {
			return "";
		}

	}

	enum EnumBean {

		INSTANCE;

		@BloomGuarded("products")
		public String find(long id) {
			return "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EnumConfiguration {

		@Bean
		EnumBean enumBean() {
			return EnumBean.INSTANCE;
		}

	}

	static final class FinalClassWithInterface implements Finding {

		@Override
		@BloomGuarded("products")
		public String findFirst(long id) {
			return "";
		}

		@Override
		public String findSecond(long id) {
			return "";
		}

	}

	static class MethodBesideInterface implements Finding {

		@Override
		public String findFirst(long id) {
			return "";
		}

		@Override
		public String findSecond(long id) {
			return "";
		}

		@BloomGuarded("products")
		public String find(long id) {
			return "";
		}

	}

	@BloomGuarded("products")
	static class ClassLevel {

		public String find(long id) {
			return "";
		}

		public void delete(long id) {
		}

	}

	static class SecondMethod {

		@BloomGuarded("products")
		public String findFirst(long id) {
			return "";
		}

		@BloomGuarded("product")
		public String findSecond(long id) {
			return "";
		}

	}

	interface Finding {

		String findFirst(long id);

		String findSecond(long id);

	}

	static class SecondMethodBehindInterface implements Finding {

		@Override
		@BloomGuarded("products")
		public String findFirst(long id) {
			return "";
		}

		@Override
		@BloomGuarded("product")
		public String findSecond(long id) {
			return "";
		}

	}

	static class AddNoFilter {

		@BloomAdd
		public void add(long id) {
		}

	}

	static class AddUnknownVariable {

		@BloomAdd(filter = "products", key = "#ident")
		public String add(long id) {
			return "";
		}

	}

	static class AddPlainFuture {

		@BloomAdd("products")
		public Future<String> add(long id) {
			return new CompletableFuture<>();
		}

	}

	record Row(long id) {

	}

	static class AddUnknownProperty {

		@BloomAdd(filter = "products", key = "#result.nope")
		public Row add(long id) {
			return new Row(id);
		}

	}

	static class AddUnknownPropertyOfElements {

		@BloomAdd(filter = "products", key = "#rows.![idd]")
		public void addAll(List<Row> rows) {
		}

	}

	static class AddElementsOfEach {

		@BloomAdd(filter = "products", keys = "#result.![id]")
		public Flux<Long> addAll(Flux<Long> ids) {
			return ids;
		}

	}

	static class AddUnknownPropertyInCondition {

		@BloomAdd(filter = "products", key = "#result.id", condition = "#result.nope > 1")
		public Row add(long id) {
			return new Row(id);
		}

	}

	static class UnknownPropertyOfParameter {

		@BloomGuarded(filter = "products", key = "#row.nope")
		public String find(Row row) {
			return "";
		}

	}

	static class AddKeyAndKeys {

		@BloomAdd(filter = "products", key = "#id", keys = "#ids")
		public void add(long id, List<Long> ids) {
		}

	}

	static class AddKeysOfOne {

		@BloomAdd(filter = "products", keys = "#result.id")
		public Row add(long id) {
			return new Row(id);
		}

	}

	static class AddKeysOfBytes {

		@BloomAdd(filter = "products", keys = "#id")
		public void add(byte[] id) {
		}

	}

	static class AddKeysOfNothing {

		@BloomAdd(filter = "products", keys = "#result")
		public void add(long id) {
		}

	}

	static class AddKeyOfElements {

		@BloomAdd(filter = "products", key = "#result.![id]")
		public List<Row> add(long id) {
			return List.of(new Row(id));
		}

	}

	static class AddResultOfNothingLater {

		@BloomAdd(filter = "products", key = "#result.id")
		public CompletableFuture<Void> add(long id) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
