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
import java.util.UUID;
import java.util.stream.Stream;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link DocumentWrite} and {@link DocumentKey}.
 */
class DocumentWriteTests {

	private static final Documents<Document> DOCUMENTS = new Documents<>(Document.class,
			MongoClientSettings.getDefaultCodecRegistry());

	private static final MongoNamespace PRODUCTS = new MongoNamespace("shop.product");

	private static final DocumentKey ID = new DocumentKey("products", PRODUCTS, "_id", Long.class, false);

	private static final DocumentKey SKU = new DocumentKey("skus", PRODUCTS, "sku", String.class, false);

	static Stream<Arguments> writesOfIds() {
		return Stream.of(arguments(insert("{_id: 1}"), List.of(1), false),
				arguments(insert("{sku: 'a'}"), List.of(), true),
				arguments(upsert("{_id: 1}", "{$set: {a: 1}}"), List.of(1), false),
				arguments(upsert("{$and: [{a: 1}, {_id: {$eq: 1}}]}", "{$set: {a: 1}}"), List.of(1), false),
				arguments(upsert("{a: 1}", "{$setOnInsert: {_id: 1}}"), List.of(1), false),
				arguments(upsert("{a: 1}", "{$set: {a: 1}}"), List.of(), true),
				arguments(upsert("{_id: {$in: [1, 2]}}", "{$set: {a: 1}}"), List.of(1, 2), true),
				arguments(upsert("{_id: {$gt: 1}}", "{$set: {a: 1}}"), List.of(), true),
				arguments(upsert("{$or: [{_id: 1}, {_id: 2}]}", "{$set: {a: 1}}"), List.of(1, 2), true),
				arguments(replace("{a: 1}", "{a: 1}", true), List.of(), true),
				arguments(replace("{_id: 1}", "{a: 1}", true), List.of(1), false),
				arguments(replace("{a: 1}", "{_id: 1, a: 1}", true), List.of(1), false),
				arguments(replace("{a: 1}", "{a: 1}", false), List.of(), false),
				arguments(update("{a: 1}", "{$set: {a: 1}}"), List.of(), false));
	}

	@ParameterizedTest
	@MethodSource("writesOfIds")
	void idsOfDocumentsThatMayBeNewAreTold(WriteModel<Document> model, List<Object> keys, boolean untold) {
		DocumentWrite write = DocumentWrite.of(ID, DOCUMENTS, model);
		assertThat(write.added()).isEqualTo(keys);
		assertThat(write.untold()).isEqualTo(untold);
	}

	static Stream<Arguments> writesOfAttributes() {
		return Stream.of(arguments(insert("{sku: 'a'}"), List.of("a"), false),
				arguments(insert("{sku: ['a', 'b']}"), List.of("a", "b"), false),
				arguments(insert("{sku: null}"), List.of(), false), arguments(insert("{_id: 1}"), List.of(), false),
				arguments(replace("{sku: 'a'}", "{sku: 'b'}", false), List.of("b"), false),
				arguments(update("{sku: 'a'}", "{$set: {sku: 'b'}, $inc: {stock: 1}}"), List.of("b"), false),
				arguments(update("{sku: 'a'}", "{$unset: {sku: 1}, $pull: {sku: 'b'}}"), List.of(), false),
				arguments(upsert("{sku: 'a'}", "{$set: {stock: 1}}"), List.of("a"), false),
				// one of these that MongoDB finds alone is that of the new document
				arguments(upsert("{$or: [{sku: 'a'}]}", "{$set: {stock: 1}}"), List.of("a"), false),
				arguments(upsert("{sku: {$all: ['a']}}", "{$set: {stock: 1}}"), List.of("a"), false),
				arguments(upsert("{sku: {$in: ['a']}}", "{$set: {stock: 1}}"), List.of("a"), false),
				arguments(update("{sku: 'a'}", "{$inc: {sku: 1}}"), List.of(), true),
				arguments(update("{sku: 'a'}", "{$push: {sku: 'b'}}"), List.of(), true),
				arguments(update("{sku: 'a'}", "{$set: {'sku.1': 'b'}}"), List.of(), true),
				arguments(update("{sku: 'a'}", "{$rename: {other: 'sku'}}"), List.of(), true),
				arguments(update("{sku: 'a'}", "{$rename: {other: 'name'}}"), List.of(), false),
				arguments(update("{sku: 'a'}", "{$set: {sku2: 'b'}}"), List.of(), false),
				arguments(new UpdateManyModel<Document>(json("{}"), List.of(json("{$set: {sku: '$other'}}"))),
						List.of(), true));
	}

	@ParameterizedTest
	@MethodSource("writesOfAttributes")
	void valuesThatAnAttributeGetsAreTold(WriteModel<Document> model, List<Object> keys, boolean untold) {
		DocumentWrite write = DocumentWrite.of(SKU, DOCUMENTS, model);
		assertThat(write.added()).isEqualTo(keys);
		assertThat(write.untold()).isEqualTo(untold);
	}

	@Test
	void idOfDocumentThatIsUpdatedIsKept() {
		assertThat(DocumentWrite.of(ID, DOCUMENTS, update("{_id: {$in: [1, 2]}}", "{$set: {a: 1}}")).kept())
			.containsExactly(1, 2);
	}

	@Test
	void onlyIdsOfDeletedDocumentsAreRemoved() {
		WriteModel<Document> delete = new DeleteOneModel<>(json("{_id: 1, sku: 'a'}"));
		assertThat(DocumentWrite.of(ID, DOCUMENTS, delete).removed()).containsExactly(1);
		assertThat(DocumentWrite.of(SKU, DOCUMENTS, delete).removed()).isEmpty();
	}

	@Test
	void valueOfEachTypeGivesTheKeysThatFindIt() {
		ObjectId id = new ObjectId();
		UUID uuid = UUID.randomUUID();
		assertThat(DocumentKey.keys(new BsonObjectId(id))).containsExactly(id.toHexString());
		assertThat(DocumentKey.keys(new BsonString("A"))).containsExactly("A");
		assertThat(DocumentKey.keys(new BsonSymbol("A"))).containsExactly("A");
		assertThat(DocumentKey.keys(new BsonInt32(7))).containsExactly(7);
		assertThat(DocumentKey.keys(new BsonDouble(7))).containsExactly(7.0);
		assertThat(DocumentKey.keys(new BsonDecimal128(Decimal128.parse("7.0")))).hasSize(1);
		assertThat(DocumentKey.keys(new BsonDecimal128(Decimal128.parse("-0")))).hasSize(1);
		assertThat(DocumentKey.keys(new BsonDecimal128(Decimal128.NaN))).isEmpty();
		assertThat(DocumentKey.keys(new BsonBinary(uuid))).containsExactly(uuid);
		assertThat(DocumentKey.keys(new BsonBinary(uuid, UuidRepresentation.JAVA_LEGACY))).contains(uuid);
		assertThat(DocumentKey.keys(new BsonBinary(new byte[16]))).isEmpty();
		List<BsonValue> others = List.of(new BsonDateTime(0), new BsonDocument(), new BsonRegularExpression("."));
		assertThat(others).allSatisfy((value) -> assertThat(DocumentKey.keys(value)).isEmpty());
		assertThat(DocumentKey.keys(new BsonArray(List.of(new BsonInt32(1), new BsonArray(List.of(new BsonInt32(2)))))))
			.containsExactly(1);
	}

	private static WriteModel<Document> insert(String document) {
		return new InsertOneModel<>(json(document));
	}

	private static WriteModel<Document> replace(String filter, String document, boolean upsert) {
		return new ReplaceOneModel<>(json(filter), json(document), new ReplaceOptions().upsert(upsert));
	}

	private static WriteModel<Document> update(String filter, String update) {
		return new UpdateOneModel<>(json(filter), json(update));
	}

	private static WriteModel<Document> upsert(String filter, String update) {
		return new UpdateOneModel<>(json(filter), json(update), new UpdateOptions().upsert(true));
	}

	private static Document json(String text) {
		return Document.parse(text);
	}

}
