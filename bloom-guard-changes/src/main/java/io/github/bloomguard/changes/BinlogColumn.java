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

package io.github.bloomguard.changes;

import java.io.Serializable;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata.DefaultCharset;
import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * A column of rows in the binary log, as {@code binlog_row_metadata=FULL} describes it.
 *
 * @param length length in bytes of a type of a fixed length, else 0
 * @param characters the character set of its texts, {@code null} if they are bytes
 */
record BinlogColumn(int place, ColumnType type, int length, boolean unsigned, @Nullable String characters,
		String[] names) {

	private static final Map<String, Charset> CHARACTERS = Map.of("utf8mb4", StandardCharsets.UTF_8, "utf8mb3",
			StandardCharsets.UTF_8, "utf8", StandardCharsets.UTF_8, "ascii", StandardCharsets.US_ASCII, "latin1",
			Charset.forName("windows-1252"));

	/**
	 * Given by windows-1252 for bytes that {@code latin1} has as control characters.
	 */
	private static final char UNDEFINED = '\uFFFD';

	private static final String BINARY = "binary";

	private static final int FIRST_YEAR = 1900;

	static boolean isKnown(String characters) {
		return CHARACTERS.containsKey(characters.toLowerCase(Locale.ROOT));
	}

	static BinlogColumn find(String name, TableMapEventData table, Map<Integer, String> collations) {
		TableMapEventMetadata metadata = table.getEventMetadata();
		if (metadata == null || metadata.getColumnNames() == null) {
			throw new LostLogException("it has no names of columns, because binlog_row_metadata was not FULL");
		}
		for (int place = 0; place < metadata.getColumnNames().size(); place++) {
			if (metadata.getColumnNames().get(place).equalsIgnoreCase(name)) {
				return of(place, table, metadata, collations);
			}
		}
		throw new LostLogException("the table did not have the column " + name);
	}

	private static BinlogColumn of(int place, TableMapEventData table, TableMapEventMetadata metadata,
			Map<Integer, String> collations) {
		ColumnType type = type(table, place);
		int length = (type == ColumnType.STRING) ? length(table.getColumnMetadata()[place]) : 0;
		boolean unsigned = metadata.getSignedness() != null && metadata.getSignedness().get(place);
		String characters = isText(type) ? characters(place, table, metadata, collations) : null;
		String[] names = (type == ColumnType.ENUM)
				? metadata.getEnumStrValues().get(count(table, place, ColumnType.ENUM)) : new String[0];
		return new BinlogColumn(place, type, length, unsigned, BINARY.equals(characters) ? null : characters, names);
	}

	/**
	 * Return the type of a column. Enums and sets are written as strings.
	 */
	private static ColumnType type(TableMapEventData table, int place) {
		int code = table.getColumnTypes()[place] & 0xFF;
		int special = table.getColumnMetadata()[place] >> 8;
		if (code == ColumnType.STRING.getCode()
				&& (special == ColumnType.ENUM.getCode() || special == ColumnType.SET.getCode())) {
			code = special;
		}
		ColumnType type = ColumnType.byCode(code);
		if (type == null) {
			throw new LostLogException("it has a column of the unknown type " + code);
		}
		return type;
	}

	/**
	 * Return the most bytes of a string; two bits of the length are folded into the type.
	 */
	private static int length(int metadata) {
		return (metadata & 0xFF) | ((((metadata >> 8) & 0x30) ^ 0x30) << 4);
	}

	private static boolean isText(ColumnType type) {
		return type == ColumnType.STRING || type == ColumnType.VAR_STRING || type == ColumnType.VARCHAR
				|| type == ColumnType.BLOB;
	}

	private static int count(TableMapEventData table, int before, ColumnType type) {
		int count = 0;
		for (int place = 0; place < before; place++) {
			count += (type(table, place) == type) ? 1 : 0;
		}
		return count;
	}

	private static String characters(int place, TableMapEventData table, TableMapEventMetadata metadata,
			Map<Integer, String> collations) {
		int number = 0;
		for (int other = 0; other < place; other++) {
			number += isText(type(table, other)) ? 1 : 0;
		}
		DefaultCharset common = metadata.getDefaultCharset();
		Integer collation;
		if (common != null) {
			Integer own = (common.getCharsetCollations() != null) ? common.getCharsetCollations().get(number) : null;
			collation = (own != null) ? own : Integer.valueOf(common.getDefaultCharsetCollation());
		}
		else {
			collation = (metadata.getColumnCharsets() != null) ? metadata.getColumnCharsets().get(number) : null;
		}
		String characters = collations.getOrDefault(collation, "unknown");
		if (!characters.equals(BINARY) && !isKnown(characters)) {
			throw new LostLogException("it has texts of the character set " + characters);
		}
		return characters;
	}

	@Nullable Object value(@Nullable Serializable value) {
		if (value == null) {
			return null;
		}
		return switch (this.type) {
			case TINY -> integer(value, 0xFFL);
			case SHORT -> integer(value, 0xFFFFL);
			case INT24 -> integer(value, 0xFFFFFFL);
			case LONG -> integer(value, 0xFFFFFFFFL);
			case LONGLONG -> large((Long) value);
			case YEAR -> year((Integer) value);
			case NEWDECIMAL, DATE -> value;
			case ENUM -> name((Integer) value);
			case STRING, VAR_STRING, VARCHAR, BLOB -> text((byte[]) value);
			default -> throw new LostLogException("it has keys of the type " + this.type);
		};
	}

	private Long integer(Serializable value, long mask) {
		long number = (Integer) value;
		return this.unsigned ? number & mask : number;
	}

	private Object large(Long value) {
		return (this.unsigned && value < 0) ? new BigInteger(Long.toUnsignedString(value)) : value;
	}

	/**
	 * The client gives the year 0 as 1900.
	 */
	private static Integer year(Integer year) {
		return (year == FIRST_YEAR) ? 0 : year;
	}

	private String name(int number) {
		return (number > 0) ? this.names[number - 1] : "";
	}

	/**
	 * The binary log leaves out the zeros at the end of bytes of a fixed length.
	 */
	private Object text(byte[] bytes) {
		String characters = this.characters;
		if (characters == null) {
			return (bytes.length < this.length) ? Arrays.copyOf(bytes, this.length) : bytes;
		}
		char[] text = new String(bytes, CHARACTERS.getOrDefault(characters, StandardCharsets.UTF_8)).toCharArray();
		if (characters.equals("latin1")) {
			for (int i = 0; i < text.length; i++) {
				text[i] = (text[i] == UNDEFINED) ? (char) (bytes[i] & 0xFF) : text[i];
			}
		}
		return new String(text);
	}

}
