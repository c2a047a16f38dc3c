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

import java.lang.reflect.AnnotatedElement;
import java.util.Set;

import io.github.bloomguard.entity.EntityKeys;

import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.EmbeddableType;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.SingularAttribute;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.ColumnTransformers;
import org.hibernate.annotations.DynamicInsert;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Refuses keys of which Hibernate does not know the stored form.
 */
record WrittenForms(EntityKeys keys) {

	void check(EntityPersister entity, KeyOfRow key) {
		if (HibernateVersion.CURRENT.tables(entity)
			.stream()
			.filter((table) -> key.isId() ? table.isIdentifierTable() : table.containsAttributeColumns(key.index()))
			.anyMatch(WrittenForms::isCustom)) {
			throw this.keys.invalidAsEntity("which @SQLInsert or @SQLUpdate of " + entity.getEntityName()
					+ " writes, so Hibernate does not know what is stored", "Remove these annotations");
		}
		if (attributes(entity, key).stream().anyMatch(WrittenForms::isTransformed)) {
			throw this.keys.invalidAsEntity(
					"whose @ColumnTransformer changes it in SQL, so the row may be found by more forms than are known",
					"Change it in Java before it is set, or by an AttributeConverter that is one-to-one");
		}
		if (!key.isId()
				&& (isGenerated(entity.getAttributeMapping(key.index()).getGenerator()) || mayBeLeftOut(entity, key))) {
			throw this.keys.invalidAsEntity("which the database may generate, so Hibernate does not always know it",
					"Name another attribute, declare it with nullable = false if @DynamicInsert leaves it out");
		}
	}

	private static boolean isCustom(EntityTableMapping table) {
		return table.getInsertDetails().getCustomSql() != null || table.getUpdateDetails().getCustomSql() != null;
	}

	private static boolean isGenerated(@Nullable Generator generator) {
		return generator != null && generator.generatedOnExecution();
	}

	/**
	 * Return whether the column may have a default that Hibernate does not know.
	 */
	private static boolean mayBeLeftOut(EntityPersister entity, KeyOfRow key) {
		return entity.getPropertyNullability()[key.index()]
				&& MergedAnnotations.from(entity.getMappedClass(), SearchStrategy.TYPE_HIERARCHY)
					.isPresent(DynamicInsert.class);
	}

	private static Set<? extends Attribute<?, ?>> attributes(EntityPersister entity, KeyOfRow key) {
		EntityType<?> type = entity.getFactory()
			.getRuntimeMetamodels()
			.getJpaMetamodel()
			.entity(entity.getEntityName());
		if (key.isId()) {
			return type.hasSingleIdAttribute() ? Set.of(type.getId(type.getIdType().getJavaType()))
					: type.getIdClassAttributes();
		}
		Attribute<?, ?> attribute = type.getAttribute(entity.getPropertyNames()[key.index()]);
		for (String name : key.path()) {
			attribute = ((EmbeddableType<?>) ((SingularAttribute<?, ?>) attribute).getType()).getAttribute(name);
		}
		return Set.of(attribute);
	}

	private static boolean isTransformed(Attribute<?, ?> attribute) {
		if (attribute instanceof SingularAttribute<?, ?> singular
				&& singular.getType() instanceof EmbeddableType<?> embeddable) {
			return embeddable.getAttributes().stream().anyMatch(WrittenForms::isTransformed);
		}
		return attribute.getJavaMember() instanceof AnnotatedElement member
				&& (member.isAnnotationPresent(ColumnTransformer.class)
						|| member.isAnnotationPresent(ColumnTransformers.class));
	}

}
