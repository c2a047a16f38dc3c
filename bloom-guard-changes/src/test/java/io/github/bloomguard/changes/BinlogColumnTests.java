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

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata.DefaultCharset;
import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import io.github.bloomguard.feed.LostLogException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BinlogColumn}.
 */
class BinlogColumnTests {

	private static final Map<Integer, String> COLLATIONS = Map.of(8, "latin1", 45, "utf8mb4", 63, "binary", 1, "big5");

	private static final int ENUM = ColumnType.ENUM.getCode() << 8;

	@Test
	void columnIsFoundByItsNameAndDescribedByItsOwnLog() {
		TableMapEventData table = table();
		assertThat(BinlogColumn.find("ID", table, COLLATIONS).value(-1L))
			.isEqualTo(new BigInteger("18446744073709551615"));
		assertThat(BinlogColumn.find("size", table, COLLATIONS).value(2)).isEqualTo("large");
		assertThat(BinlogColumn.find("name", table, COLLATIONS).value("é".getBytes(StandardCharsets.UTF_8)))
			.isEqualTo("é");
		assertThat(BinlogColumn.find("latin", table, COLLATIONS).value("é".getBytes(StandardCharsets.ISO_8859_1)))
			.isEqualTo("é");
		assertThat(BinlogColumn.find("bytes", table, COLLATIONS).value(new byte[] { 1, 2 }))
			.isEqualTo(new byte[] { 1, 2, 0, 0 });
		assertThat(BinlogColumn.find("year", table, COLLATIONS).value(1900)).isEqualTo(0);
	}

	@Test
	void eachByteOfLatinTextIsOneCharacter() {
		BinlogColumn latin = BinlogColumn.find("latin", table(), COLLATIONS);
		assertThat(latin.value(new byte[] { 'a', (byte) 0x81, (byte) 0x80 })).isEqualTo("a\u0081€");
	}

	@Test
	void whatTheLogDoesNotTellIsLost() {
		TableMapEventData table = table();
		assertThatExceptionOfType(LostLogException.class)
			.isThrownBy(() -> BinlogColumn.find("chinese", table, COLLATIONS))
			.withMessageContaining("character set big5");
		assertThatExceptionOfType(LostLogException.class)
			.isThrownBy(() -> BinlogColumn.find("former", table, COLLATIONS))
			.withMessageContaining("did not have the column former");
		table.getEventMetadata().setColumnNames(null);
		assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> BinlogColumn.find("id", table, COLLATIONS))
			.withMessageContaining("binlog_row_metadata was not FULL");
	}

	/**
	 * As a server describes {@code (size enum, name varchar, latin varchar, id bigint
	 * unsigned, bytes binary(4), year year, chinese varchar)}.
	 */
	private static TableMapEventData table() {
		TableMapEventData table = new TableMapEventData();
		table.setColumnTypes(types(ColumnType.STRING, ColumnType.VARCHAR, ColumnType.VARCHAR, ColumnType.LONGLONG,
				ColumnType.STRING, ColumnType.YEAR, ColumnType.VARCHAR));
		table.setColumnMetadata(new int[] { ENUM + 1, 80, 20, 0, (ColumnType.STRING.getCode() << 8) + 4, 0, 20 });
		TableMapEventMetadata metadata = new TableMapEventMetadata();
		metadata.setColumnNames(List.of("size", "name", "latin", "id", "bytes", "year", "chinese"));
		metadata.setEnumStrValues(List.<String[]>of(new String[] { "small", "large" }));
		BitSet unsigned = new BitSet();
		unsigned.set(3);
		metadata.setSignedness(unsigned);
		DefaultCharset characters = new DefaultCharset();
		characters.setDefaultCharsetCollation(45);
		characters.setCharsetCollations(Map.of(1, 8, 2, 63, 3, 1));
		metadata.setDefaultCharset(characters);
		table.setEventMetadata(metadata);
		return table;
	}

	private static byte[] types(ColumnType... types) {
		byte[] codes = new byte[types.length];
		for (int i = 0; i < codes.length; i++) {
			codes[i] = (byte) types[i].getCode();
		}
		return codes;
	}

}
