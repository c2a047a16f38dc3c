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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.call.AskedKey;

import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Tells which keys methods ask for, add or remove, where parameters or the result are
 * named alone.
 */
final class AskedKeys {

	private AskedKeys() {
	}

	static Optional<AskedKey> of(GuardOperation operation) {
		Declaration declaration = operation.declaration();
		GuardExpression key = operation.key();
		Integer all = key.argument();
		List<AskedKey.Part> parts = !operation.many() ? parts(key)
				: (all != null) ? List.of(each(key.method(), all)) : List.of();
		return parts.isEmpty() ? Optional.empty() : Optional.of(new AskedKey(declaration + " " + verb(declaration),
				declaration.method().name(), !declaration.isGuard(), parts));
	}

	private static String verb(Declaration declaration) {
		return declaration.isGuard() ? "asks for" : declaration.isOf(BloomAdd.class) ? "adds" : "removes";
	}

	private static AskedKey.Part each(AnnotatedMethod method, int parameter) {
		ResolvableType all = method.parameterType(parameter);
		return part(method, parameter, all.isArray() ? all.getComponentType() : all.as(Iterable.class).getGeneric(0));
	}

	private static List<AskedKey.Part> parts(GuardExpression key) {
		if (!(key.expression() instanceof SpelExpression expression)) {
			return List.of();
		}
		AnnotatedMethod method = key.method();
		SpelNode node = expression.getAST();
		if (node instanceof VariableReference) {
			return List.of((key.isArgument() || !key.usesResult())
					? part(method, node).orElseGet(() -> new AskedKey.Part("", Object.class))
					: new AskedKey.Part("", ReturnTypes.result(method.returnType()).resolve(Object.class)));
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
		return new AskedKey.Part(method.parameterName(parameter), type.resolve(Object.class));
	}

}
