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

package io.github.bloomguard.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.filter.AsciiFolding;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import io.github.bloomguard.filter.TextForms;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Asks a database for rows in many ways, and finds those that it finds, but whose key has
 * another form, or that are looked up in vain.
 *
 * @param dataSource the database
 */
record KeyTypeMatrix(DataSource dataSource) {

	static final String UUID_TEXT = "8a6e0804-2bd0-4672-b79d-d97027f9071a";

	private static final KeyFormat FORMAT = new KeyFormat(List.of());

	private static final List<Object> ASKED = asked();

	/**
	 * Ask for each row of a column.
	 * @param type the type of the column
	 * @param values its values, as they are written in SQL
	 * @return what is wrong
	 */
	List<String> misses(String type, String... values) {
		JdbcTemplate template = new JdbcTemplate(this.dataSource);
		List<String> misses = new ArrayList<>();
		template.execute("drop table if exists asked");
		template.execute("create table asked (k " + type + ")");
		TextForms text = text(source());
		for (String value : values) {
			template.execute("delete from asked");
			template.execute("insert into asked values (" + value + ")");
			misses.addAll(misses(template, text, type + " " + value));
		}
		return misses;
	}

	private JdbcKeySource source() {
		JdbcKeySource source = new JdbcKeySource("asked", this.dataSource, "select k from asked", null, 100);
		source.database();
		return source;
	}

	private static TextForms text(JdbcKeySource source) {
		Set<Difference> ignored = source.ignored();
		return new TextForms(ignored, source.letters().map(AsciiFolding::new).orElse(null),
				KeySpellings.together(List.of(source.spellings())));
	}

	/**
	 * Return in which ways one can write keys that no row has, or a key that is there in
	 * many ways, so that more of them pass than a filter lets pass by chance.
	 */
	Set<String> passes(String type, String... values) {
		JdbcTemplate template = new JdbcTemplate(this.dataSource);
		template.execute("drop table if exists asked");
		template.execute("create table asked (k " + type + ")");
		for (String value : values) {
			template.execute("insert into asked values (" + value + ")");
		}
		JdbcKeySource source = source();
		TextForms text = text(source);
		Set<String> forms = new HashSet<>();
		try (Stream<?> keys = source.keys()) {
			keys.forEach((key) -> forms.addAll(text.stored(FORMAT.format(key))));
		}
		Set<String> passes = new TreeSet<>();
		AbsentKeys.SPELLINGS.forEach((kind, keys) -> {
			long passed = keys.stream()
				.filter((key) -> !source.tellsApart(FORMAT.parts(key)) || mayBeIn(forms, text, key))
				.count();
			if (passed > AbsentKeys.COUNT / 100) {
				passes.add(kind);
			}
		});
		return passes;
	}

	private static boolean mayBeIn(Set<String> forms, TextForms text, Object key) {
		List<String> asked = text.asked(FORMAT.format(key));
		return asked == TextForms.CANNOT_TELL || asked.stream().anyMatch(forms::contains);
	}

	private List<String> misses(JdbcTemplate template, TextForms text, String row) {
		JdbcKeySource source = source();
		Set<String> forms = new HashSet<>();
		try {
			source.check(FORMAT, List.of());
		}
		catch (InvalidGuardException ex) {
			// the start says so
			return List.of();
		}
		try (Stream<?> keys = source.keys()) {
			keys.forEach((key) -> forms.addAll(text.stored(FORMAT.format(key))));
		}
		catch (RuntimeException ex) {
			return List.of(row + " can't be loaded: " + ex);
		}
		List<String> misses = new ArrayList<>();
		for (Object key : ASKED) {
			if (!mayBeIn(forms, text, key) && source.tellsApart(FORMAT.parts(key)) && isFound(template, key)) {
				misses.add("%s is %s, asked with %s %s".formatted(row, forms, key.getClass().getSimpleName(),
						FORMAT.format(key)));
			}
			if (mayBeIn(forms, text, key) && isDenied(source, key) && isFound(template, key)) {
				misses.add("%s is looked up in vain as %s %s".formatted(row, key.getClass().getSimpleName(),
						FORMAT.format(key)));
			}
		}
		return misses;
	}

	private static boolean isDenied(JdbcKeySource source, Object key) {
		return source.contains(FORMAT.parts(key)).filter((found) -> !found).isPresent();
	}

	private static boolean isFound(JdbcTemplate template, Object key) {
		try {
			Long count = template.queryForObject("select count(*) from asked where k = ?", Long.class, key);
			return count != null && count > 0;
		}
		catch (RuntimeException ex) {
			// the types can't be compared; not all drivers say so by an exception of SQL
			return false;
		}
	}

	private static List<Object> asked() {
		List<Object> asked = new ArrayList<>();
		for (long number : new long[] { 0, 1, -1, 7, -7, 26, 10, 111, 2026, 9007199254740992L, 9007199254740993L,
				Long.MAX_VALUE, 20261121, 20261121120000L, 123000 }) {
			asked.add(number);
			asked.add(BigInteger.valueOf(number));
			asked.add(BigDecimal.valueOf(number));
			asked.add((double) number);
			asked.add((float) number);
			asked.add(String.valueOf(number));
			asked.add(number + ".0");
			if (number == (int) number) {
				asked.add((int) number);
				asked.add((short) number);
				asked.add((byte) number);
			}
		}
		asked.add(new BigInteger("9223372036854775813"));
		asked.add(new BigDecimal("9223372036854775813"));
		for (String number : new String[] { "9223372036854775813", "7.0", "7.00", "7.5", "7.50", "0.1", "0.10", "1e-1",
				"0.30000000000000004", "0.10000000149011612", "0.1000000000000000055511151231257827", "16777217",
				"-0.0" }) {
			asked.add(number);
			asked.add(new BigDecimal(number));
			asked.add(Double.valueOf(number));
			asked.add(Float.valueOf(number));
		}
		asked.add(Double.NaN);
		asked.add(Double.POSITIVE_INFINITY);
		asked.addAll(List.of("07", " 7", "+7", "7e0", "\uFF17", "\u0667", "7 ", "7abc", "7,", "abc", "", " ", "0x7",
				"0b111", "07abc", "7\t", "7\n", "\u00a07", "1_0", "9007199254740993abc"));
		asked.addAll(List.of(true, false, "true", "t", "yes", "on", "y", "false", "f"));
		UUID uuid = UUID.fromString(UUID_TEXT);
		byte[] bytes = ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array();
		asked.addAll(List.of(uuid, UUID_TEXT, UUID_TEXT.toUpperCase(), UUID_TEXT.replace("-", ""),
				"{" + UUID_TEXT + "}", "urn:uuid:" + UUID_TEXT, bytes, new String(bytes, StandardCharsets.ISO_8859_1)));
		asked.addAll(List.of(new byte[] { 7 }, new byte[] { '7' }, new byte[] { 7, 0 }, new byte[] { 0, 7 },
				new byte[] { 1, 2 }, "\\x0102", "0102", "\u0001\u0002", "\u0007", new byte[] { 'a', 'b' }));
		asked.addAll(List.of('a', '7', "a", "ab", "ab ", "ab  ", "small", "small ", "b'111'", "00000111", "a,b", "b,a",
				"A,B", "AB", "Small", " ab", "007", "0007.0", "00.70e1", "7.", "-7.0", "7-", "--7", "1e0", "0x1F",
				"1_000", UUID_TEXT.replace("-", "").toUpperCase(), "{" + UUID_TEXT.replace("-", "") + "}",
				" " + UUID_TEXT, UUID_TEXT + " ", "8a6e-08042bd0-4672-b79dd97027f9071a", "\u00e4b", "a\u0308b"));
		LocalDateTime time = LocalDateTime.parse("2026-11-21T12:00:00");
		for (LocalDateTime each : List.of(time, time.plusNanos(123456000), time.plusNanos(123456789),
				time.plusNanos(100000000), time.toLocalDate().atStartOfDay(), time.withMonth(7))) {
			asked.addAll(List.of(each, Timestamp.valueOf(each), each.toInstant(ZoneOffset.UTC),
					each.atOffset(ZoneOffset.UTC), each.atOffset(ZoneOffset.ofHours(1)), each.atZone(ZoneOffset.UTC),
					Date.from(each.toInstant(ZoneOffset.UTC)), each.toLocalTime(),
					java.sql.Time.valueOf(each.toLocalTime()), each.toLocalTime().atOffset(ZoneOffset.UTC)));
			asked.addAll(List.of(each.toString(), each.toString().replace('T', ' '), each.toLocalTime().toString(),
					each.toInstant(ZoneOffset.UTC).toString()));
		}
		LocalDate day = time.toLocalDate();
		asked.addAll(List.of(day, java.sql.Date.valueOf(day), "2026-11-21", "20261121", "2026-1-1", "21 Nov 2026",
				"26-11-21", LocalDate.of(2026, 1, 1), java.sql.Date.valueOf("2026-01-01"), java.time.Year.of(2026),
				"26", "2026-11-21 12:00:00.000000", "12:00:00", "12:30", LocalTime.of(12, 30), "1 day", "24:00:00",
				"P1D", "1 day 00:00:00"));
		asked.addAll(List.of("$7.00", "$7", "7.00", "10.0.0.1", "10.0.0.1/32", "{1,2}", "{1, 2}", "{\"a\": 1}",
				"{\"a\":1}", "{\"b\": 2, \"a\": 1}", "::1", "0:0:0:0:0:0:0:1", "010.0.0.1"));
		return asked;
	}

}
