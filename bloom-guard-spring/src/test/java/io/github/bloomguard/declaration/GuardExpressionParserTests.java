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

import java.util.Map;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomGuarded;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link GuardExpressionParser}.
 */
class GuardExpressionParserTests {

	@ParameterizedTest
	@ValueSource(strings = { "#map[name]", "{name: #map}", "#root.args.length", "methodName", "getMethodName()",
			"#map.![key]", "#map.keySet().?[length > 1]", "#map?.size() > 0 ? #p0 : #a0",
			"T(java.util.UUID).randomUUID()", "@shop.key(#map)", "new String('x')", "#root", "#this",
			"#map.get(methodName)" })
	void expressionThatCanWorkIsAccepted(String expression) throws Exception {
		AnnotatedMethod method = new AnnotatedMethod(Maps.class.getDeclaredMethod("find", Map.class), Maps.class);
		GuardExpressionParser parser = new GuardExpressionParser(new DefaultListableBeanFactory());
		assertThat(parser.key(key(method, expression))).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "#map.get(name)", "#map[#root.name]", "{name, 1}", "#map.x(#y)", "@shop.key(name)",
			"#this.name" })
	void expressionThatCanNotWorkIsFoundWhereverItHides(String expression) throws Exception {
		AnnotatedMethod method = new AnnotatedMethod(Maps.class.getDeclaredMethod("find", Map.class), Maps.class);
		GuardExpressionParser parser = new GuardExpressionParser(new DefaultListableBeanFactory());
		assertThatException().isThrownBy(() -> parser.key(key(method, expression)))
			.isInstanceOf(InvalidGuardException.class);
	}

	private static GuardExpression.Source key(AnnotatedMethod method, String text) {
		return new GuardExpression.Source(Declaration.of(Map.of("key", text), BloomGuarded.class, method), "key");
	}

	static class Maps {

		String find(Map<String, String> map) {
			return "";
		}

	}

}
