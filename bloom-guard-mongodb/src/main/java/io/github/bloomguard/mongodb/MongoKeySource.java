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

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.filter.KeyType;
import io.github.bloomguard.filter.TypedKeys;
import io.github.bloomguard.jdbc.KeySearch;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * Reads the keys of all documents of a collection, from the primary: a document that a
 * secondary has not got yet may have been added before the load.
 */
final class MongoKeySource implements KeySource, TypedKeys {

	private static final long LOOK_UP_MILLISECONDS = 1000;

	private static final int TOGETHER = 500;

	private final EntityKeys keys;

	private final DocumentKey key;

	private final boolean collatedQueries;

	private final MongoTemplate template;

	private final int fetchSize;

	private final List<KeyType> types;

	private final Set<MongoCursor<?>> reading = ConcurrentHashMap.newKeySet();

	private volatile BsonDocument description = new BsonDocument();

	MongoKeySource(EntityKeys keys, DocumentKey key, boolean collatedQueries, MongoTemplate template, int fetchSize) {
		this.keys = keys;
		this.key = key;
		this.collatedQueries = collatedQueries;
		this.template = template;
		this.fetchSize = fetchSize;
		this.types = KeyType.parts((key.type() == ObjectId.class) ? String.class : key.type());
	}

	@Override
	public String filter() {
		return this.key.filter();
	}

	@Override
	public String fingerprint() {
		return this.keys.fingerprint(this.key.field() + " of " + this.key.collection());
	}

	/**
	 * A collection keeps its UUID until it is dropped, wherever it is replicated to.
	 */
	@Override
	public String database() {
		BsonDocument found = this.template.getDb()
			.listCollections(BsonDocument.class)
			.filter(Filters.eq("name", this.key.collection().getCollectionName()))
			.first();
		this.description = (found != null) ? found : new BsonDocument();
		return this.key.collection() + " " + this.description.getDocument("info", new BsonDocument()).get("uuid");
	}

	@Override
	public Optional<KeyEquality> equality() {
		return Optional.of(this);
	}

	@Override
	public Set<Difference> ignored() {
		if (isCollated()) {
			return UNKNOWN;
		}
		return this.key.mayBeObjectId() ? EnumSet.of(Difference.CASE) : EXACT;
	}

	private boolean isCollated() {
		return this.collatedQueries
				|| this.description.getDocument("options", new BsonDocument()).containsKey("collation");
	}

	/**
	 * Values of different types are never equal, so a text is no number.
	 */
	@Override
	public List<Spelling> spellings() {
		return KeyType.spellings(this.types);
	}

	/**
	 * Where a text is the id of an object, it is compared as a text.
	 */
	@Override
	public Optional<List<KeyType>> keyTypes() {
		return Optional.of(this.types);
	}

	@Override
	public boolean tellsApart(List<? extends @Nullable Object> key) {
		return KeyType.tellApart(this.types, key.stream().map(MongoKeySource::text).toList());
	}

	/**
	 * Return an {@link ObjectId} as its text, and other values as they are.
	 */
	private static @Nullable Object text(@Nullable Object value) {
		return (value instanceof ObjectId id) ? id.toHexString() : value;
	}

	@Override
	public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return containsEach(List.of(key)).get(0);
	}

	@Override
	public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
		List<Optional<Boolean>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
		List<Integer> positions = new ArrayList<>();
		List<Object> wanted = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			Object value = wanted(keys.get(i));
			if (value != null) {
				positions.add(i);
				wanted.add(value);
			}
		}
		List<Boolean> there = KeySearch.each(wanted, TOGETHER, this::isThereAnyOf);
		for (int i = 0; i < there.size(); i++) {
			found.set(positions.get(i), Optional.of(there.get(i)));
		}
		return found;
	}

	private boolean isThereAnyOf(List<Object> values) {
		return documents().find(Filters.in(this.key.field(), values))
			.projection(Projections.include(DocumentKey.ID))
			.maxTime(LOOK_UP_MILLISECONDS, TimeUnit.MILLISECONDS)
			.first() != null;
	}

	/**
	 * Return the value that a document with a key has, {@code null} if none can have it.
	 */
	private @Nullable Object wanted(List<? extends @Nullable Object> key) {
		Object value = (key.size() == 1) ? text(key.get(0)) : null;
		if (value == null || isCollated() || !tellsApart(key)) {
			return null;
		}
		try {
			return inDocument(value);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

	/**
	 * @throws IllegalArgumentException if no document can have that value
	 * @throws ArithmeticException likewise
	 */
	private Object inDocument(Object value) {
		String text = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		if (this.key.type() == UUID.class) {
			return (value instanceof UUID) ? value : UUID.fromString(text);
		}
		if (this.key.type() == String.class || this.key.type() == ObjectId.class) {
			return (this.key.mayBeObjectId() && ObjectId.isValid(text)) ? new ObjectId(text) : text;
		}
		return new BigDecimal(text).longValueExact();
	}

	@Override
	public Optional<String> doubt() {
		if (!MongoWrites.areHeard(this.template.getDb())) {
			return Optional.of("Spring Data MongoDB does not tell of new documents of " + this.keys.entity()
					+ ", because its MongoClient is no bean of this context: make it one");
		}
		String type = this.description.getString("type", new BsonString("collection")).getValue();
		return type.equals("collection") ? Optional.empty() : Optional.of(this.key.collection() + " is a " + type
				+ ", whose documents are written elsewhere: name" + " the entity of that collection");
	}

	@Override
	public OptionalLong count() {
		return OptionalLong.of(documents().estimatedDocumentCount());
	}

	@Override
	public Stream<?> keys() {
		MongoCursor<BsonDocument> cursor = documents().find()
			.projection(this.key.isId() ? Projections.include(DocumentKey.ID)
					: Projections.fields(Projections.include(this.key.field()), Projections.excludeId()))
			.sort(Sorts.ascending(DocumentKey.ID))
			.batchSize(this.fetchSize)
			.cursor();
		this.reading.add(cursor);
		return StreamSupport
			.stream(Spliterators.spliteratorUnknownSize(cursor, Spliterator.ORDERED | Spliterator.NONNULL), false)
			.flatMap(this.key::in)
			.onClose(() -> {
				this.reading.remove(cursor);
				cursor.close();
			});
	}

	@Override
	public void cancel() {
		this.reading.forEach(MongoCursor::close);
	}

	private MongoCollection<BsonDocument> documents() {
		MongoDatabase database = this.template.getDb();
		return database.getCollection(this.key.collection().getCollectionName(), BsonDocument.class)
			.withReadPreference(ReadPreference.primary());
	}

}
