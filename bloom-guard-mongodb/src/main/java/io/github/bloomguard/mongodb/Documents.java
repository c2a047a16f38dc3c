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

import java.util.List;
import java.util.Set;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * The documents of a collection, as its methods are given them.
 */
record Documents<T>(Class<T> type, CodecRegistry codecs) {

	private static final Set<String> WRITES = Set.of("insertOne", "insertMany", "replaceOne", "updateOne", "updateMany",
			"deleteOne", "deleteMany", "findOneAndReplace", "findOneAndUpdate", "findOneAndDelete", "bulkWrite");

	static <T> Documents<T> of(MongoCollection<T> collection) {
		return new Documents<>(collection.getDocumentClass(), collection.getCodecRegistry());
	}

	BsonDocument bson(Bson filter) {
		return filter.toBsonDocument(this.type, this.codecs);
	}

	BsonDocument encode(Object document) {
		return (document instanceof BsonDocument encoded) ? encoded
				: new BsonDocumentWrapper<>(this.type.cast(document), this.codecs.get(this.type));
	}

	static boolean areWritten(String method) {
		return WRITES.contains(method);
	}

	/**
	 * Give new documents their ids, as the driver would do a moment later.
	 */
	Object[] identified(String method, Object[] arguments) {
		Object[] identified = arguments.clone();
		int first = first(arguments);
		switch (method) {
			case "insertOne" -> identified[first] = identified(identified[first]);
			case "insertMany" ->
				identified[first] = ((List<?>) identified[first]).stream().map(this::identified).toList();
			case "bulkWrite" -> identified[first] = ((List<?>) identified[first]).stream()
				.map((model) -> (model instanceof InsertOneModel<?> insert)
						? new InsertOneModel<>(identified(insert.getDocument())) : model)
				.toList();
			default -> {
				// nothing is new
			}
		}
		return identified;
	}

	private T identified(Object document) {
		Codec<T> codec = this.codecs.get(this.type);
		T written = this.type.cast(document);
		return (codec instanceof CollectibleCodec<T> collectible) ? collectible.generateIdIfAbsentFromDocument(written)
				: written;
	}

	/**
	 * Return what a method that {@linkplain #areWritten writes} is asked to.
	 */
	List<? extends WriteModel<?>> written(String method, Object[] arguments) {
		int first = first(arguments);
		return switch (method) {
			case "insertOne" -> List.of(new InsertOneModel<>(arguments[first]));
			case "insertMany" -> ((List<?>) arguments[first]).stream().map(InsertOneModel::new).toList();
			case "replaceOne", "findOneAndReplace" -> List.of(new ReplaceOneModel<>((Bson) arguments[first],
					arguments[first + 1], new ReplaceOptions().upsert(isUpsert(arguments))));
			case "updateOne", "updateMany", "findOneAndUpdate" -> List.of(update((Bson) arguments[first],
					arguments[first + 1], new UpdateOptions().upsert(isUpsert(arguments))));
			case "bulkWrite" -> ((List<?>) arguments[first]).stream().map((model) -> (WriteModel<?>) model).toList();
			default -> List.of(new DeleteManyModel<>((Bson) arguments[first]));
		};
	}

	@SuppressWarnings("unchecked")
	private static UpdateManyModel<?> update(Bson filter, Object update, UpdateOptions options) {
		return (update instanceof Bson operators) ? new UpdateManyModel<>(filter, operators, options)
				: new UpdateManyModel<>(filter, (List<? extends Bson>) update, options);
	}

	private static int first(Object[] arguments) {
		return (arguments.length > 0 && arguments[0] instanceof ClientSession) ? 1 : 0;
	}

	private static boolean isUpsert(Object[] arguments) {
		Object options = arguments[arguments.length - 1];
		return (options instanceof ReplaceOptions replace && replace.isUpsert())
				|| (options instanceof UpdateOptions update && update.isUpsert())
				|| (options instanceof FindOneAndReplaceOptions replace && replace.isUpsert())
				|| (options instanceof FindOneAndUpdateOptions update && update.isUpsert());
	}

}
