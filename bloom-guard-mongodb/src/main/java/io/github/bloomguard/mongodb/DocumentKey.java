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
import java.util.stream.Stream;

import com.mongodb.MongoNamespace;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.bson.types.ObjectId;

/**
 * The key of a filter in the documents of a collection.
 *
 * @param field the name of the field, without a dot
 * @param type of the property that has it
 * @param mayBeObjectId whether a text of 24 hexadecimal digits is an {@link ObjectId} in
 * the document
 */
record DocumentKey(String filter, MongoNamespace collection, String field, Class<?> type, boolean mayBeObjectId) {

	static final String ID = "_id";

	boolean isId() {
		return this.field.equals(ID);
	}

	/**
	 * Return what a call asks with for documents that have a value in the field: for a
	 * list, any of its elements. Values of other types are equal to no key.
	 */
	static Stream<Object> keys(BsonValue value) {
		return switch (value.getBsonType()) {
			case STRING -> Stream.of(value.asString().getValue());
			case SYMBOL -> Stream.of(value.asSymbol().getSymbol());
			case OBJECT_ID -> Stream.of(value.asObjectId().getValue().toHexString());
			case INT32 -> Stream.of(value.asInt32().getValue());
			case INT64 -> Stream.of(value.asInt64().getValue());
			case DOUBLE -> Stream.of(value.asDouble().getValue());
			case DECIMAL128 -> Stream.of(value.asDecimal128().getValue())
				.filter((number) -> !number.isNaN() && !number.isInfinite())
				.map((number) -> new BigDecimal(number.toString()));
			case BINARY -> uuids(value);
			case ARRAY -> value.asArray().stream().filter((element) -> !element.isArray()).flatMap(DocumentKey::keys);
			default -> Stream.empty();
		};
	}

	Stream<Object> in(BsonDocument document) {
		return Stream.ofNullable(document.get(this.field)).flatMap(DocumentKey::keys);
	}

	/**
	 * Return all that the bytes may mean: older drivers had an order of their own.
	 */
	private static Stream<Object> uuids(BsonValue value) {
		byte[] bytes = value.asBinary().getData();
		byte type = value.asBinary().getType();
		if (bytes.length != Long.BYTES * 2) {
			return Stream.empty();
		}
		if (type == BsonBinarySubType.UUID_STANDARD.getValue()) {
			return Stream.of(value.asBinary().asUuid());
		}
		return (type != BsonBinarySubType.UUID_LEGACY.getValue()) ? Stream.empty()
				: Stream
					.of(UuidRepresentation.JAVA_LEGACY, UuidRepresentation.C_SHARP_LEGACY,
							UuidRepresentation.PYTHON_LEGACY)
					.map((order) -> value.asBinary().asUuid(order));
	}

}
