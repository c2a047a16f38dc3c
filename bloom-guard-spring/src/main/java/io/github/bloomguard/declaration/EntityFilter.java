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

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Finds the filter of an annotation that names none but is on a method of a generic
 * class: that of the entity which stands for one of its type variables.
 */
final class EntityFilter {

	private final Supplier<Map<String, List<String>>> filters;

	/**
	 * @param entities the names of the filters in their order, each with the name of the
	 * entity whose ids are its keys, empty if there is none
	 */
	EntityFilter(Supplier<? extends SortedMap<String, String>> entities) {
		this.filters = SingletonSupplier.of(() -> byEntity(entities.get()));
	}

	private static Map<String, List<String>> byEntity(SortedMap<String, String> entities) {
		return entities.entrySet()
			.stream()
			.collect(Collectors.groupingBy(Map.Entry::getValue,
					Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
	}

	/**
	 * Return a declaration with the name of its filter, empty if its entity has none.
	 */
	Optional<Declaration> named(Declaration declaration) {
		if (!(declaration.annotation() instanceof BloomGuarded guarded && guarded.byEntity())) {
			return Optional.of(declaration);
		}
		if (!declaration.filter().isEmpty()) {
			throw declaration.invalid("filter", declaration.filter(), "has byEntity = true as well",
					"write one of the two", null);
		}
		return find(declaration).map(declaration::withFilter);
	}

	private Optional<String> find(Declaration declaration) {
		String entity = entity(declaration).getName();
		List<String> filters = this.filters.get().getOrDefault(entity, List.of());
		if (filters.size() > 1) {
			throw invalid(declaration, "is about " + entity + ", which is the entity of the filters " + filters,
					filters.get(0));
		}
		return filters.stream().findFirst();
	}

	private static Class<?> entity(Declaration declaration) {
		AnnotatedMethod method = declaration.method();
		Set<Class<?>> candidates = typeArguments(method).filter(EntityFilter::mayBeEntity)
			.collect(Collectors.toCollection(LinkedHashSet::new));
		Set<Class<?>> returned = classes(method.returnType()).filter(candidates::contains).collect(Collectors.toSet());
		if (!returned.isEmpty()) {
			candidates = returned;
		}
		else {
			IntStream.range(0, method.parameterCount())
				.mapToObj(method::parameterType)
				.flatMap(EntityFilter::classes)
				.forEach(candidates::remove);
		}
		if (candidates.size() != 1) {
			throw invalid(declaration,
					candidates.isEmpty() ? "has no type argument that is an entity" : "may be about each of "
							+ candidates.stream().map(Class::getName).sorted().collect(Collectors.joining(", ")),
					"...");
		}
		return candidates.iterator().next();
	}

	private static RuntimeException invalid(Declaration declaration, String complaint, String filter) {
		String target = declaration.method().target();
		return declaration.invalid("byEntity", "true",
				"asks for the filter of an entity, but " + target + " " + complaint,
				"override the method in " + target + ", with @BloomGuarded(filter = \"" + filter + "\")", null);
	}

	/**
	 * Return what stands for the variables of the types that declare the method, or of
	 * all types of the class if they have none.
	 */
	private static Stream<Class<?>> typeArguments(AnnotatedMethod method) {
		List<Class<?>> generic = TypeHierarchy.of(method.targetClass())
			.filter((type) -> type.getTypeParameters().length > 0)
			.toList();
		List<Class<?>> declaring = generic.stream().filter((type) -> declares(type, method)).toList();
		ResolvableType target = ResolvableType.forClass(method.targetClass());
		return (declaring.isEmpty() ? generic : declaring).stream()
			.flatMap((type) -> Arrays.stream(target.as(type).resolveGenerics()))
			.filter(Objects::nonNull);
	}

	private static boolean declares(Class<?> type, AnnotatedMethod method) {
		return Arrays.stream(type.getDeclaredMethods())
			.anyMatch((declared) -> declared.getName().equals(method.name())
					&& declared.getParameterCount() == method.method().getParameterCount());
	}

	private static Stream<Class<?>> classes(ResolvableType type) {
		return Stream.concat(Stream.ofNullable(type.resolve()),
				Arrays.stream(type.getGenerics()).flatMap(EntityFilter::classes));
	}

	/**
	 * A mapper is an interface, and an id is a simple type or a parameter.
	 */
	private static boolean mayBeEntity(Class<?> type) {
		return !type.isInterface() && !type.isEnum() && !type.isArray()
				&& Stream.of("java.", "kotlin.").noneMatch(type.getName()::startsWith);
	}

}
