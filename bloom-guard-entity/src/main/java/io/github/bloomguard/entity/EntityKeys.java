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

package io.github.bloomguard.entity;

import java.util.Collection;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType;
import io.github.bloomguard.jdbc.QueryColumns;
import org.jspecify.annotations.Nullable;

/**
 * Which values of an entity, or its id without an attribute, are the keys of a filter.
 */
public record EntityKeys(String filter, String entity, @Nullable String attribute) {

	public String fingerprint(String columns) {
		return "entity " + this.entity + ((this.attribute != null) ? "." + this.attribute : "") + " in " + columns;
	}

	/**
	 * Return whether rows of a class are rows of this entity: it is the entity, or a
	 * subclass of it.
	 */
	public boolean include(Class<?> type) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			if (each.getName().equals(this.entity)) {
				return true;
			}
		}
		return false;
	}

	public void check(Class<?> type, KeyFormat format) {
		if (!format.supports(type)) {
			throw invalid("whose keys are of the type " + type.getName() + ", which has no canonical form",
					"Declare a KeyConverter<" + type.getSimpleName()
							+ "> bean, make the type a record, or set bloom-guard.filters." + this.filter
							+ ".attribute to an attribute of a simple type");
		}
	}

	public void checkQuery(Class<?> type, QueryColumns columns) {
		if (!KeyType.mayBeSame(KeyType.parts(type), columns.types())) {
			throw invalid(
					"whose keys are of the type " + type.getName() + ", but bloom-guard.filters." + this.filter
							+ ".warm-up.query gives " + columns,
					"Let the query give the same keys as the entity, cast them if they are, or remove one of the two");
		}
	}

	/**
	 * Refuse what may be read and added without its mapping.
	 */
	public InvalidGuardException invalidAsEntity(String problem, String remedy) {
		return invalid(problem, remedy + ", or remove the entity, and use warm-up.query and @BloomAdd");
	}

	/**
	 * Refuse an attribute that the entity does not have.
	 */
	public InvalidGuardException unknownAttribute(Collection<String> attributes) {
		return invalid("which it does not have",
				"Name one of its attributes: " + attributes + ", or remove the attribute if the key is the id");
	}

	public InvalidGuardException invalid(String problem, String remedy) {
		String property = "bloom-guard.filters." + this.filter + ".";
		return new InvalidGuardException(property + "entity is " + this.entity
				+ ((this.attribute != null) ? " and " + property + "attribute is " + this.attribute : "") + ", "
				+ problem, remedy);
	}

}
