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
package io.github.bloomguard.hibernate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;

import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.ModelPartContainer;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.entity.EntityPersister;

/**
 * The columns of a key, as Hibernate maps them.
 */
record KeyColumns(List<SelectableMapping> mappings) {

	static KeyColumns of(EntityPersister entity, KeyOfRow key) {
		ModelPart part = key.isId() ? entity.getIdentifierMapping() : entity.getAttributeMapping(key.index());
		for (String name : key.path()) {
			part = ((ModelPartContainer) part).findSubPart(name, null);
		}
		return of(part);
	}

	static KeyColumns ofId(EntityPersister entity) {
		return of(entity.getIdentifierMapping());
	}

	static KeyColumns of(ModelPart part) {
		List<SelectableMapping> mappings = new ArrayList<>();
		part.forEachSelectable((position, column) -> mappings.add(column));
		return new KeyColumns(mappings);
	}

	boolean areConverted() {
		return this.mappings.stream().anyMatch((column) -> column.getJdbcMapping().getValueConverter() != null);
	}

	boolean areInserted() {
		return this.mappings.stream().allMatch(SelectableMapping::isInsertable);
	}

	boolean areWritten() {
		return this.mappings.stream().allMatch((column) -> column.isInsertable() || column.isUpdateable());
	}

	Stream<String> updated() {
		return this.mappings.stream()
			.filter(SelectableMapping::isUpdateable)
			.map(SelectableMapping::getSelectionExpression);
	}

	List<String> names() {
		return this.mappings.stream().map(SelectableMapping::getSelectionExpression).toList();
	}

	String table() {
		return this.mappings.get(0).getContainingTableExpression();
	}

	boolean isSingle() {
		return this.mappings.size() == 1;
	}

	String single() {
		return this.mappings.get(0).getSelectionExpression();
	}

	EntityRows rows(EntityKeys keys, boolean composite, PlainColumns plain) {
		return new EntityRows(keys, table(), composite,
				this.mappings.stream()
					.map((column) -> EntityRows.Column.of(column.getSelectionExpression(),
							column.getJdbcMapping().getJavaTypeDescriptor().getJavaTypeClass(),
							plain.include(column.getJdbcMapping())))
					.toList());
	}

	String query() {
		return "select " + names().stream().map((name) -> "r." + name).collect(Collectors.joining(", ")) + " from "
				+ table() + " r";
	}

	@Override
	public String toString() {
		return this.mappings.stream()
			.map((column) -> column.getContainingTableExpression() + "." + column.getSelectionExpression())
			.toList()
			.toString();
	}

}
