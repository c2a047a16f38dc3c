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

package io.github.bloomguard.declaration;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link ExpressionTypes}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExpressionTypesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			product     | #result.nope                              | uses nope, which is no property of
			product     | #result?.nope                             | uses nope
			product     | #result.tags.![nope]                      | uses nope, which is no property of
			product     | #result.id.nope                           | java.lang.Long
			product     | #result.tags.?[nope == 1].![text]         | uses nope
			product     | {#result.id, #result.nope}                | uses nope
			product     | #result != null ? #result.nope : null     | uses nope
			entity      | #result.nope                              | uses nope
			optional    | #result.nope                              | uses nope
			mono        | #result.nope                              | uses nope
			future      | #result?.nope                             | uses nope
			list        | #result.![nope]                           | uses nope
			list        | #result.![#this.nope]                     | uses nope
			array       | #result.![nope]                           | uses nope
			bounded     | #result.nope                              | uses nope
			bounded     | #entity.nope                              | uses nope
			kind        | #result.nope                              | uses nope
			""")
	void whatNoObjectHasIsRefused(String method, String expression, String problem) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> parse(method, expression, false))
			.withMessageContaining(problem)
			.withMessageStartingWith("@BloomAdd(key = \"" + expression + "\") on ExpressionTypesTests.Shop." + method);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			list  | #result
			array | #result
			raw   | #result
			""")
	void containerThatIsOneKeyIsLogged(String method, String expression, CapturedOutput output) {
		parse(method, expression, false);
		assertThat(output).contains("@BloomAdd(key = \"" + expression + "\") on ExpressionTypesTests.Shop." + method)
			.contains("is one key of several parts")
			.contains("write keys = \"" + expression + "\"");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			product  | {#result.id, #result.name}
			product  | #result
			bytes    | #result
			anything | #result
			""")
	void whatCanBeNothingButOneKeyIsNotLogged(String method, String expression, CapturedOutput output) {
		parse(method, expression, false);
		assertThat(output).doesNotContain("several parts");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			product   | #result.id
			product   | #result.id()
			product   | #result.name.length()
			product   | #result.class.name
			product   | {#result.tags.![text.toUpperCase()]}
			product   | {#result.tags.![#root.methodName + text]}
			product   | #result.tags.size
			product   | T(java.util.UUID).randomUUID()
			product   | #result.name.substring(1, 2)
			product   | T(java.lang.String).format('%s %s', #result.id, #result.name)
			entity    | #result.id
			entity    | #result.code
			entity    | {#result.active, #root.target.nope}
			view      | #result.name
			view      | #result.hashCode()
			anything  | #result.nope
			raw       | {#result.![nope]}
			raw       | #result[0].nope
			unbounded | #result.nope
			optional  | #result.name
			holder    | #result.product?.name
			mono      | #result.id
			list      | {#result.![id]}
			list      | #result.![id][0].byteValue()
			array     | #result.length
			map       | {#result.![value.id]}
			map       | #result['nope'].id
			map       | #result[nope].id
			bounded   | #result.id + #entity.id
			view      | #result.nope
			base      | #result.nope
			shape     | #result.radius
			product   | #result.nope()
			list      | #result[0].nope
			entity    | #result instanceof T(java.lang.Long) ? #result.nope : #result.id
			entity    | #result.id > 0 and #result.nope
			""")
	void whatMayBeThereIsAccepted(String method, String expression) {
		assertThatNoException().isThrownBy(() -> parse(method, expression, false));
	}

	@Test
	void whatAConditionMayAskForIsAccepted() {
		assertThatNoException().isThrownBy(() -> parse("entity", "#result.nope", true));
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> parse("product", "#result.nope", true));
	}

	@Test
	void closestPropertyIsProposed() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> parse("entity", "#result.codee", false))
			.satisfies((ex) -> assertThat(ex.getRemedy()).isEqualTo("did you mean code?"));
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> parse("product", "#result.price", false))
			.satisfies((ex) -> assertThat(ex.getRemedy()).isEqualTo("use a property that it has"));
	}

	private static GuardExpression parse(String name, String expression, boolean conditional) {
		Method method = Arrays.stream(Shop.class.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		Declaration declaration = Declaration.of(Map.of("key", expression, "condition", conditional ? "true" : ""),
				BloomAdd.class, new AnnotatedMethod(method, Shop.class));
		return new GuardExpressionParser(new DefaultListableBeanFactory())
			.key(new GuardExpression.Source(declaration, "key"));
	}

	record Product(long id, String name, List<Tag> tags) {

	}

	record Tag(String text) {

	}

	static class Entity {

		public final String code = "";

		public Long getId() {
			return 1L;
		}

		public boolean isActive() {
			return true;
		}

	}

	interface View {

		String getName();

	}

	abstract static class Base {

		public Long getId() {
			return 1L;
		}

	}

	record LeaseHolder(Optional<Product> product) {

	}

	sealed interface Shape permits Circle, Square {

	}

	record Circle(double radius) implements Shape {

	}

	record Square(double side) implements Shape {

	}

	enum Kind {

		FIRST

	}

	@SuppressWarnings("rawtypes")
	interface Shop<T> {

		Product product();

		Entity entity();

		View view();

		Base base();

		Object anything();

		List raw();

		T unbounded();

		Optional<Product> optional();

		LeaseHolder holder();

		Mono<Product> mono();

		Flux<Product> flux();

		CompletableFuture<Optional<Product>> future();

		List<Product> list();

		Product[] array();

		byte[] bytes();

		Map<String, Product> map();

		<S extends Entity> S bounded(S entity);

		Shape shape();

		Kind kind();

	}

}
