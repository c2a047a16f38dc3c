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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * What one write makes of the key of a filter.
 *
 * @param added keys of documents that are there afterwards, and may not have been before
 * @param kept keys of documents that it changes
 * @param removed keys of documents that it deletes
 * @param untold whether documents may get other keys
 */
record DocumentWrite(List<Object> added, List<Object> kept, List<Object> removed, boolean untold) {

	static final DocumentWrite UNKNOWN = new DocumentWrite(List.of(), List.of(), List.of(), true);

	private static final DocumentWrite NOTHING = new DocumentWrite(List.of(), List.of(), List.of(), false);

	/**
	 * Operators that write what they are given, and those that write nothing new.
	 */
	private static final Set<String> SET = Set.of("$set", "$setOnInsert");

	private static final Set<String> LESS = Set.of("$unset", "$pop", "$pull", "$pullAll");

	static DocumentWrite of(DocumentKey key, Documents<?> documents, WriteModel<?> model) {
		if (model instanceof InsertOneModel<?> insert) {
			BsonDocument document = documents.encode(insert.getDocument());
			// MongoDB gives a document without an id one
			return added(key.in(document).toList(), key.isId() && !document.containsKey(DocumentKey.ID));
		}
		if (model instanceof ReplaceOneModel<?> replace) {
			List<Object> added = new ArrayList<>(key.in(documents.encode(replace.getReplacement())).toList());
			return key.isId()
					? matched(key, documents.bson(replace.getFilter()), added, replace.getReplaceOptions().isUpsert())
					: added(added, false);
		}
		if (model instanceof UpdateOneModel<?> update) {
			return update(key, documents, update.getFilter(), update.getUpdate(), update.getOptions());
		}
		if (model instanceof UpdateManyModel<?> update) {
			return update(key, documents, update.getFilter(), update.getUpdate(), update.getOptions());
		}
		if (model instanceof DeleteOneModel<?> delete) {
			return deleted(key, documents.bson(delete.getFilter()));
		}
		return (model instanceof DeleteManyModel<?> delete) ? deleted(key, documents.bson(delete.getFilter()))
				: UNKNOWN;
	}

	private static DocumentWrite added(List<Object> keys, boolean untold) {
		return new DocumentWrite(keys, List.of(), List.of(), untold);
	}

	/**
	 * Only ids are removed: another document may have the same value in another field.
	 */
	private static DocumentWrite deleted(DocumentKey key, BsonDocument filter) {
		return key.isId() ? new DocumentWrite(List.of(), List.of(),
				named(filter, true).flatMap(DocumentKey::keys).toList(), false) : NOTHING;
	}

	/**
	 * @param update {@code null} for a pipeline
	 */
	private static DocumentWrite update(DocumentKey key, Documents<?> documents, Bson filter, @Nullable Bson update,
			UpdateOptions options) {
		BsonDocument matched = documents.bson(filter);
		BsonDocument changed = (update != null) ? documents.bson(update) : new BsonDocument();
		List<Object> added = new ArrayList<>(SET.stream()
			.flatMap((operator) -> Stream.ofNullable(changed.get(operator)))
			.flatMap((values) -> key.in(values.asDocument()))
			.toList());
		if (key.isId()) {
			return matched(key, matched, added, options.isUpsert());
		}
		if (options.isUpsert()) {
			named(matched, key.field(), true).flatMap(DocumentKey::keys).forEach(added::add);
		}
		return added(added, update == null || changed.entrySet().stream().anyMatch((part) -> hides(part, key)));
	}

	/**
	 * Documents that match have their id already, but may be found from now on by a
	 * guarded method that looks at more.
	 */
	private static DocumentWrite matched(DocumentKey key, BsonDocument filter, List<Object> added, boolean upsert) {
		List<Object> named = named(filter, true).flatMap(DocumentKey::keys).toList();
		boolean untold = upsert && added.isEmpty() && named(filter, false).findAny().isEmpty();
		if (!upsert) {
			return new DocumentWrite(added, named, List.of(), false);
		}
		added.addAll(named);
		return added(added, untold);
	}

	private static boolean hides(Map.Entry<String, BsonValue> operator, DocumentKey key) {
		if (LESS.contains(operator.getKey()) || !operator.getValue().isDocument()) {
			return false;
		}
		return operator.getValue()
			.asDocument()
			.entrySet()
			.stream()
			.anyMatch((change) -> change.getKey().startsWith(key.field() + ".")
					|| (change.getKey().equals(key.field()) && !SET.contains(operator.getKey()))
					|| (operator.getKey().equals("$rename")
							&& (change.getValue().asString().getValue().equals(key.field()))));
	}

	private static Stream<BsonValue> named(BsonDocument filter, boolean several) {
		return named(filter, DocumentKey.ID, several);
	}

	/**
	 * Return the values of a field that a document has to have to match.
	 * @param several whether it may have any of these
	 */
	private static Stream<BsonValue> named(BsonDocument filter, String field, boolean several) {
		Stream<BsonValue> nested = Stream.of("$and", "$or")
			.filter((operator) -> filter.isArray(operator) && (several || operator.equals("$and")))
			.flatMap((operator) -> filter.getArray(operator).stream())
			.filter(BsonValue::isDocument)
			.flatMap((each) -> named(each.asDocument(), field, several));
		return Stream.concat(Stream.ofNullable(filter.get(field)).flatMap((value) -> equal(value, several)), nested);
	}

	private static Stream<BsonValue> equal(BsonValue value, boolean several) {
		Optional<BsonDocument> operators = Optional.of(value)
			.filter(BsonValue::isDocument)
			.map(BsonValue::asDocument)
			.filter((document) -> !document.isEmpty() && document.getFirstKey().startsWith("$"));
		if (operators.isEmpty()) {
			return value.isRegularExpression() ? Stream.empty() : Stream.of(value);
		}
		Stream<BsonValue> any = Stream.of("$in", "$all")
			.filter((operator) -> several && operators.get().isArray(operator))
			.flatMap((operator) -> operators.get().getArray(operator).stream());
		return Stream.concat(Stream.ofNullable(operators.get().get("$eq")), any);
	}

}
