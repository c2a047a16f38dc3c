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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.github.bloomguard.call.AskedKey;

import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Tells which keys methods ask for, where parameters are named alone.
 */
final class AskedKeys {

	private AskedKeys() {
	}

	static Optional<AskedKey> of(GuardOperation operation) {
		AnnotatedMethod method = operation.declaration().method();
		List<AskedKey.Part> parts = parts(operation, method);
		return parts.isEmpty() ? Optional.empty()
				: Optional.of(new AskedKey(operation.declaration().toString(), method.method().getName(), parts));
	}

	private static List<AskedKey.Part> parts(GuardOperation operation, AnnotatedMethod method) {
		KeysParameter keys = operation.keys();
		if (keys != null) {
			ResolvableType all = method.parameterType(keys.index());
			return List.of(part(method, keys.index(),
					all.isArray() ? all.getComponentType() : all.as(Iterable.class).getGeneric(0)));
		}
		GuardExpression key = operation.key();
		if (key == null || !(key.expression() instanceof SpelExpression expression)) {
			return List.of();
		}
		SpelNode node = expression.getAST();
		if (node instanceof VariableReference) {
			return part(method, node).map(List::of).orElse(List.of());
		}
		List<AskedKey.Part> parts = new ArrayList<>();
		if (node instanceof InlineList) {
			IntStream.range(0, node.getChildCount())
				.mapToObj(node::getChild)
				.forEach((child) -> parts
					.add(part(method, child).orElseGet(() -> new AskedKey.Part(child.toStringAST(), Object.class))));
		}
		return parts;
	}

	private static Optional<AskedKey.Part> part(AnnotatedMethod method, SpelNode node) {
		Integer parameter = (node instanceof VariableReference) ? method.parameter(ExpressionTypes.name(node)) : null;
		return (parameter != null) ? Optional.of(part(method, parameter, method.parameterType(parameter)))
				: Optional.empty();
	}

	private static AskedKey.Part part(AnnotatedMethod method, int parameter, ResolvableType type) {
		return new AskedKey.Part(method.name(parameter), type.resolve(Object.class));
	}

}
