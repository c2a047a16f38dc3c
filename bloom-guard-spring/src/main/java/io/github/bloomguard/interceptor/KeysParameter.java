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

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.GuardExpression;
import io.github.bloomguard.result.EmptyContainers;
import org.jspecify.annotations.Nullable;

import org.springframework.core.CollectionFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;

/**
 * The parameter of a method that holds many keys, and may be given fewer of them.
 */
record KeysParameter(int index, Class<?> type, @Nullable Supplier<Collection<Object>> collection) {

	static KeysParameter of(Declaration declaration, GuardExpression key) {
		Integer index = key.argument();
		Assert.state(index != null, "Not a parameter");
		String text = key.toString();
		ResolvableType type = declaration.method().parameterType(index);
		Class<?> declared = type.toClass();
		if (declared.isArray()) {
			return new KeysParameter(index, declared, null);
		}
		if (declared != Iterable.class && !Collection.class.isAssignableFrom(declared)) {
			throw declaration.invalid("keys", text, "names a parameter of type " + declared.getName(),
					"name a Collection or an array, or use key for a single key", null);
		}
		Supplier<Collection<Object>> collection = EmptyContainers.collection(type);
		if (collection == null) {
			throw declaration.invalid("keys", text,
					"names a parameter of type " + declared.getName() + ", of which the guard can't make another one",
					"declare an interface such as Collection, List or Set", null);
		}
		return new KeysParameter(index, declared, collection);
	}

	Object repeatable(Object argument) {
		if (argument instanceof Iterable<?> iterable && !(argument instanceof Collection)) {
			List<Object> copy = new ArrayList<>();
			iterable.forEach(copy::add);
			return copy;
		}
		return argument;
	}

	List<@Nullable Object> keys(Object argument) {
		return Arrays.asList(
				(argument instanceof Collection<?> all) ? all.toArray() : ObjectUtils.toObjectArray(argument).clone());
	}

	Object narrow(Object argument, List<@Nullable Object> keys, BitSet positions) {
		return argument.getClass().isArray() ? narrowArray(argument, positions)
				: narrowCollection(argument, keys, positions);
	}

	private static Object narrowArray(Object array, BitSet positions) {
		Object narrowed = Array.newInstance(array.getClass().getComponentType(), positions.cardinality());
		int to = 0;
		for (int from = positions.nextSetBit(0); from >= 0; from = positions.nextSetBit(from + 1)) {
			System.arraycopy(array, from, narrowed, to++, 1);
		}
		return narrowed;
	}

	@SuppressWarnings("NullAway") // null elements are kept
	private Collection<?> narrowCollection(Object argument, List<@Nullable Object> keys, BitSet positions) {
		Collection<Object> narrowed = emptyLike(argument, positions.cardinality());
		positions.stream().forEach((position) -> narrowed.add(keys.get(position)));
		return narrowed;
	}

	/**
	 * A set stays one, in its order, even if the parameter may be something else.
	 */
	private Collection<Object> emptyLike(Object argument, int capacity) {
		if (argument instanceof Set) {
			Collection<Object> set = CollectionFactory.createApproximateCollection(argument, capacity);
			if (this.type.isInstance(set)) {
				return set;
			}
		}
		Assert.state(this.collection != null, "Not a collection");
		return this.collection.get();
	}

}
