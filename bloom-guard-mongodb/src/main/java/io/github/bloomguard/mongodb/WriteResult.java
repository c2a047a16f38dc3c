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
import java.util.Optional;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.result.UpdateResult;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What MongoDB tells of a write.
 */
final class WriteResult {

	private WriteResult() {
	}

	/**
	 * Return the ids of the documents that an upsert has inserted, and maybe of others;
	 * empty if the result does not tell.
	 */
	static Optional<List<BsonValue>> ids(Documents<?> documents, @Nullable Object result) {
		if (result instanceof UpdateResult update) {
			return Optional.of(update)
				.filter(UpdateResult::wasAcknowledged)
				.map((told) -> (told.getUpsertedId() != null) ? List.of(told.getUpsertedId()) : List.of());
		}
		if (result instanceof MongoWriteException || result instanceof MongoCommandException) {
			return Optional.of(List.of());
		}
		if (result instanceof MongoBulkWriteException failure) {
			return ids(documents, failure.getWriteResult());
		}
		if (result instanceof BulkWriteResult bulk) {
			return Optional.of(bulk)
				.filter(BulkWriteResult::wasAcknowledged)
				.map((told) -> told.getUpserts().stream().map(BulkWriteUpsert::getId).toList());
		}
		return Optional.ofNullable(result)
			.filter(documents.type()::isInstance)
			.map(documents::encode)
			.map((document) -> document.get(DocumentKey.ID))
			.map(List::of);
	}

	/**
	 * Return whether no document was changed or inserted.
	 */
	static boolean isNothing(@Nullable Object result) {
		return result instanceof UpdateResult update && update.wasAcknowledged() && update.getMatchedCount() == 0
				&& update.getUpsertedId() == null;
	}

}
