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

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * What writes to collections that only its text names: commands, stages of pipelines, and
 * new names.
 */
final class IndirectWrites {

	private static final Pattern COMMANDS = Pattern
		.compile("\\{\"(insert|update|findAndModify|mapReduce|bulkWrite|applyOps"
				+ "|renameCollection|cloneCollectionAsCapped)\".*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern STAGES = Pattern.compile("\"\\$(out|merge)\"");

	private IndirectWrites() {
	}

	/**
	 * Return the text of what a method writes, or will when its result is read;
	 * {@code null} if that is nothing.
	 */
	static @Nullable String of(Object target, String method, Object @Nullable [] arguments) {
		CodecRegistry codecs = codecs(target);
		if (codecs == null || arguments == null) {
			return null;
		}
		String text = Arrays.stream(arguments).map((argument) -> text(argument, codecs)).collect(Collectors.joining());
		return switch (method) {
			case "runCommand" -> COMMANDS.matcher(text).matches() || hasWritingStage(text) ? text : null;
			case "aggregate" -> hasWritingStage(text) ? text : null;
			case "renameCollection" -> text;
			default -> null;
		};
	}

	private static @Nullable CodecRegistry codecs(Object target) {
		if (target instanceof MongoDatabase database) {
			return database.getCodecRegistry();
		}
		return (target instanceof MongoCollection<?> collection) ? collection.getCodecRegistry() : null;
	}

	private static boolean hasWritingStage(String text) {
		return STAGES.matcher(text).find();
	}

	private static String text(Object argument, CodecRegistry codecs) {
		if (argument instanceof List<?> stages) {
			return stages.stream().map((stage) -> text(stage, codecs)).collect(Collectors.joining());
		}
		if (argument instanceof Bson bson) {
			return bson.toBsonDocument(BsonDocument.class, codecs).toJson();
		}
		return (argument instanceof MongoNamespace name) ? name.getFullName() : "";
	}

}
