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

package io.github.bloomguard.mongodb;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import javax.sql.DataSource;

import com.mongodb.MongoNamespace;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.jdbc.RowSecurity;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.convert.CustomConversions;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * The documents of Spring Data MongoDB.
 */
final class MongoEntities implements MappedEntities {

	/**
	 * The types of which it is certain what a query compares with them.
	 */
	private static final Set<Class<?>> TYPES = Set.of(ObjectId.class, String.class, Long.class, Integer.class,
			Short.class, Byte.class, UUID.class);

	private final MongoTemplate template;

	private final Collection<EntityKeys> configured;

	private final @Nullable ClassLoader classLoader;

	private final boolean reactive;

	/**
	 * @param configured of all filters, whatever maps them
	 * @param reactive whether there is another client, which does not wait for keys
	 */
	MongoEntities(MongoTemplate template, Collection<EntityKeys> configured, @Nullable ClassLoader classLoader,
			boolean reactive) {
		this.reactive = reactive;
		this.template = template;
		this.configured = configured;
		this.classLoader = classLoader;
	}

	@Override
	public String description() {
		return "Spring Data MongoDB";
	}

	@Override
	public Collection<String> names() {
		return mapping().getPersistentEntities()
			.stream()
			.<Class<?>>map(MongoPersistentEntity::getType)
			.filter(MongoEntities::isDocument)
			.map(Class::getName)
			.sorted()
			.toList();
	}

	/**
	 * A document may not be known before its repository is made.
	 */
	@Override
	public boolean contains(String entity) {
		return ClassUtils.isPresent(entity, this.classLoader)
				&& isDocument(ClassUtils.resolveClassName(entity, this.classLoader));
	}

	private static boolean isDocument(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, Document.class);
	}

	private MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mapping() {
		return this.template.getConverter().getMappingContext();
	}

	@Override
	public Class<?> type(EntityKeys keys) {
		return key(keys).type();
	}

	@Override
	public @Nullable DataSource dataSource() {
		return null;
	}

	@Override
	public EntityRows rows(EntityKeys keys) {
		throw keys.invalid("whose documents are in no table, so changes.enabled has no log to follow",
				"Set changes.enabled to false");
	}

	@Override
	public KeySource source(EntityKeys keys, int fetchSize, @Nullable Integer partitions, RowSecurity security) {
		if (this.reactive) {
			throw keys.invalid("but the reactive MongoClient may write documents, too, which adds no keys",
					"Remove that client, or the entity, declare a KeySource bean, and use @BloomAdd");
		}
		MongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		if (ClassUtils.getUserClass(factory) != SimpleMongoClientDatabaseFactory.class) {
			throw keys.invalid(
					"but its MongoDatabaseFactory is a " + factory.getClass().getName()
							+ ", which may lead to several databases, of which one would be read",
					"Use a SimpleMongoClientDatabaseFactory, or remove the entity, declare a KeySource bean, and use"
							+ " @BloomAdd");
		}
		return new MongoKeySource(keys, key(keys), entity(keys).hasCollation(), this.template, fetchSize);
	}

	/**
	 * Return the keys of those entities that these are.
	 */
	Stream<DocumentKey> followed() {
		return this.configured.stream().filter((keys) -> contains(keys.entity())).map(this::key);
	}

	private DocumentKey key(EntityKeys keys) {
		MongoPersistentEntity<?> entity = entity(keys);
		String attribute = keys.attribute();
		MongoPersistentProperty property = (attribute != null) ? entity.getPersistentProperty(attribute)
				: entity.getIdProperty();
		if (property == null) {
			throw keys.invalid("which it does not have", "Name one of its attributes: " + attributes(entity)
					+ ", or remove the attribute if the key is the id");
		}
		if (!isPlain(property)) {
			throw keys.invalid(
					"whose keys are of the type " + property.getType().getName()
							+ " and may have another form in the documents",
					"Name an attribute that is an ObjectId, a text, an integer or a UUID without a conversion, one of "
							+ attributes(entity) + ", or declare a KeySource bean instead, and use @BloomAdd");
		}
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(property.getType());
		return new DocumentKey(keys.filter(),
				new MongoNamespace(this.template.getDb().getName(), entity.getCollection()), property.getFieldName(),
				type, (type == String.class || type == ObjectId.class) && property.getFieldType() == ObjectId.class);
	}

	private MongoPersistentEntity<?> entity(EntityKeys keys) {
		Class<?> type = ClassUtils.resolveClassName(keys.entity(), this.classLoader);
		Document document = AnnotatedElementUtils.findMergedAnnotation(type, Document.class);
		if (document == null) {
			throw keys.invalid("which is no document", "Name a class with @Document");
		}
		if (document.collection().contains("#{")) {
			throw keys.invalid("whose collection is " + document.collection() + ", which may differ from call to call",
					"Write the name of the collection, or remove the entity, declare a KeySource bean, and use @BloomAdd");
		}
		return mapping().getRequiredPersistentEntity(type);
	}

	private List<String> attributes(MongoPersistentEntity<?> entity) {
		return StreamSupport.stream(entity.spliterator(), false)
			.filter(this::isPlain)
			.map(MongoPersistentProperty::getName)
			.sorted()
			.toList();
	}

	private boolean isPlain(MongoPersistentProperty property) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(property.getType());
		boolean sameForm = !property.hasExplicitWriteTarget() || property.getFieldType() == String.class
				|| property.getFieldType() == ObjectId.class;
		return TYPES.contains(type) && property.isWritable() && !property.getFieldName().contains(".") && sameForm
				&& !isConverted(property, type);
	}

	private boolean isConverted(MongoPersistentProperty property, Class<?> type) {
		if (!(this.template.getConverter() instanceof MappingMongoConverter converter)) {
			return true;
		}
		CustomConversions conversions = converter.getCustomConversions();
		return conversions.hasValueConverter(property)
				|| conversions.getCustomWriteTarget(type).filter((target) -> !isSame(type, target)).isPresent();
	}

	/**
	 * MongoDB compares numbers of different types by their values.
	 */
	private static boolean isSame(Class<?> type, Class<?> target) {
		return target == type || (Number.class.isAssignableFrom(type) && Number.class.isAssignableFrom(target));
	}

}
