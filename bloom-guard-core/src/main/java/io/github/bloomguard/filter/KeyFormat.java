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

package io.github.bloomguard.filter;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.UnsupportedKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Gives each key its form, whatever type it comes in: {@code 7}, {@code 7L} and
 * {@code "7"} are the same key. In which other ways that key may be written depends on
 * its column, which {@link TextForms} knows.
 * <ul>
 * <li>numbers: decimal digits without trailing zeros; {@code 7.0} is {@code 7}</li>
 * <li>text, characters, booleans, UUIDs and {@code java.time} values: their text; points
 * in time ({@code Instant}, {@code OffsetDateTime}, {@code ZonedDateTime},
 * {@code java.util.Date}) as the instant, {@code java.sql.Date} and {@code java.sql.Time}
 * as their local values</li>
 * <li>enums: their name</li>
 * <li>16 bytes: the UUID that they are, as databases without a type for it keep it</li>
 * <li>records, collections and other arrays: a parenthesis, the number of their parts,
 * and each part with its length, so that no two of them run together; one of a single
 * part is not that part. The parts of a set are sorted.</li>
 * <li>text that begins with a parenthesis gets another one, so it can't pass for one of
 * these; text with half of a surrogate pair, of which UTF-8 has no form, is a
 * parenthesis, an {@code s}, and the digits of its characters</li>
 * </ul>
 * Anything else needs a {@link KeyConverter}. Different keys have different forms, and
 * each form is well-formed text.
 */
public final class KeyFormat {

	/**
	 * The version of all that decides which bits of a filter, entries of the journal and
	 * sentinels a key has: its form, its {@link TextForms}, the layout of the bits. It
	 * stands in each origin, so a generation that was written in another version is not
	 * asked, and nothing is believed beside instances of another version.
	 */
	public static final int VERSION = 5;

	static final String COMPOSITE = "(";

	private static final String BROKEN_TEXT = "(s";

	/**
	 * More is no key, but a mistake, such as a collection that contains itself.
	 */
	private static final int MAX_DEPTH = 32;

	private static final int MAX_PARTS = 10_000;

	private static final int UUID_BYTES = 16;

	private static final Comparator<String> IN_ANY_SPELLING = Comparator.comparing(KeyFormat::joined)
		.thenComparing(Comparator.naturalOrder());

	private static final int MAX_PLAIN_SCALE = 400;

	static final List<Class<?>> FORMED = List.of(CharSequence.class, Number.class, Enum.class, Character.class,
			UUID.class, Boolean.class, Date.class, Collection.class);

	private final List<KeyConverter<?>> declared;

	/**
	 * @throws InvalidGuardException if one of the converters would never be asked
	 */
	public KeyFormat(Collection<? extends KeyConverter<?>> converters) {
		this.declared = List.copyOf(converters);
		Map<Class<?>, KeyConverter<?>> byType = new HashMap<>();
		for (KeyConverter<?> converter : this.declared) {
			check(converter, byType.put(converter.type(), converter));
		}
	}

	private static void check(KeyConverter<?> converter, @Nullable KeyConverter<?> before) {
		String keys = " for keys of type " + converter.type().getName();
		if (isSimple(converter.type())) {
			throw new InvalidGuardException(
					"The KeyConverter " + converter.getClass().getName() + " is" + keys + ", which are never converted",
					"Remove it, and convert such keys in the query and in the expressions of the annotations, such as"
							+ " key = \"#name.toLowerCase()\"");
		}
		if (before != null) {
			throw new InvalidGuardException("The KeyConverters " + before.getClass().getName() + " and "
					+ converter.getClass().getName() + " are both" + keys + ", and only one of them would be asked",
					"Remove one of them");
		}
	}

	/**
	 * Return whether all keys of a type have a form that no converter changes.
	 */
	static boolean isSimple(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		return (TemporalAccessor.class.isAssignableFrom(boxed) && boxed.getName().startsWith("java.time."))
				|| FORMED.stream().anyMatch((has) -> has != Collection.class && has.isAssignableFrom(boxed));
	}

	/**
	 * Return the converters that the application has declared, in their order.
	 */
	public List<KeyConverter<?>> converters() {
		return this.declared;
	}

	/**
	 * Give a key its form.
	 * @throws UnsupportedKeyException if its type has none
	 */
	public String format(Object key) {
		String form = simple(key);
		return (form != null) ? form : format(key, new Nesting());
	}

	/**
	 * Return whether the decimal digits of a key are its form.
	 */
	public static boolean isInteger(Object key) {
		return key instanceof Long || key instanceof Integer;
	}

	/**
	 * Return whether a key is written as its number or UUID is, if it is one.
	 */
	public boolean isCanonical(Object key) {
		if (key instanceof CharSequence text) {
			return CanonicalText.of(text.toString()).contentEquals(text);
		}
		if (key instanceof Number || key instanceof UUID) {
			return true;
		}
		String form = format(key);
		return KeySpellings.joined(form).equals(form);
	}

	/**
	 * Return whether no part of a key is {@code null}.
	 */
	public boolean isComplete(Object key) {
		if (key instanceof Number || key instanceof CharSequence || key instanceof UUID) {
			return true;
		}
		if (hasNoParts(key.getClass())) {
			return true;
		}
		Nesting nesting = new Nesting();
		format(key, nesting);
		return nesting.complete;
	}

	/**
	 * Return whether keys of a type have no parts, as far as that can be told at once.
	 */
	private static boolean hasNoParts(Class<?> type) {
		return type == Long.class || type == Integer.class || type == String.class || type == UUID.class;
	}

	/**
	 * Return the parts of a key, or the key itself if it has none, after conversion.
	 */
	public List<? extends @Nullable Object> parts(Object key) {
		Object converted = converted(key);
		List<? extends @Nullable Object> parts = (converted instanceof byte[]) ? null : partsOf(converted);
		return (parts != null) ? parts.stream().map((part) -> (part != null) ? converted(part) : null).toList()
				: List.of(converted);
	}

	/**
	 * Return the forms of the {@linkplain #parts parts} of a key.
	 * @param form the form of the key, which is that of its only part if it has no others
	 */
	public List<@Nullable String> partForms(Object key, String form) {
		return !CompositeForm.isOne(form) ? List.of(form)
				: parts(key).stream().<@Nullable String>map((part) -> (part != null) ? format(part) : null).toList();
	}

	Object converted(Object key) {
		KeyConverter<?> converter = (this.declared.isEmpty() || simple(key) != null) ? null : converter(key.getClass());
		return (converter != null) ? converted(convert(converter, key)) : key;
	}

	/**
	 * Return whether the application has declared a converter for keys of a type.
	 */
	public boolean converts(Class<?> type) {
		return converter(type) != null;
	}

	/**
	 * Return whether keys of a type may have a form. The kinds of an abstract class of
	 * Java's own, such as {@code ZoneId}, have one only if they all do.
	 */
	public boolean supports(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		return isSimple(boxed) || boxed.isArray() || boxed.isInterface() || Record.class.isAssignableFrom(boxed)
				|| (Modifier.isAbstract(boxed.getModifiers()) && !boxed.getName().startsWith("java."))
				|| Collection.class.isAssignableFrom(boxed) || converter(boxed) != null;
	}

	private String format(Object key, Nesting nesting) {
		String form = simple(key);
		if (form != null) {
			return form;
		}
		KeyConverter<?> converter = converter(key.getClass());
		if (converter != null) {
			return format(convert(converter, key), nesting);
		}
		// here a new type gets its form: applications may have a converter for it
		if (key instanceof byte[] bytes && bytes.length == UUID_BYTES) {
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			return new UUID(buffer.getLong(), buffer.getLong()).toString();
		}
		List<? extends @Nullable Object> parts = partsOf(key);
		if (parts != null) {
			return composite(parts, key instanceof Set, nesting);
		}
		throw new UnsupportedKeyException(key.getClass());
	}

	/**
	 * Return the form of a key of a basic type, for which no converter is asked. No type
	 * is added: it would take its keys from the converters that applications have.
	 */
	private static @Nullable String simple(Object key) {
		if (key instanceof String text) {
			return wellFormed(text);
		}
		if (isInteger(key)) {
			return key.toString();
		}
		if (key instanceof Number number) {
			return number(number);
		}
		if (key instanceof Enum<?> constant) {
			return constant.name();
		}
		if (key instanceof CharSequence || key instanceof Character) {
			return wellFormed(key.toString());
		}
		if (key instanceof UUID || key instanceof Boolean) {
			return key.toString();
		}
		if (key instanceof Date date) {
			return date(date);
		}
		if (key instanceof OffsetDateTime || key instanceof ZonedDateTime) {
			return Instant.from((TemporalAccessor) key).toString();
		}
		if (key instanceof TemporalAccessor && key.getClass().getName().startsWith("java.time.")) {
			return key.toString();
		}
		return null;
	}

	private static String wellFormed(String text) {
		if (!isWellFormed(text)) {
			return text.chars()
				.mapToObj((character) -> HexFormat.of().toHexDigits((char) character))
				.collect(Collectors.joining("", BROKEN_TEXT, ""));
		}
		return text.startsWith(COMPOSITE) ? COMPOSITE + text : text;
	}

	private static boolean isWellFormed(String text) {
		int character;
		for (int i = 0; i < text.length(); i += Character.charCount(character)) {
			character = text.codePointAt(i);
			if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
				return false;
			}
		}
		return true;
	}

	private String composite(List<? extends @Nullable Object> parts, boolean inAnyOrder, Nesting nesting) {
		nesting.enter(parts.size());
		List<String> forms = new ArrayList<>(parts.size());
		for (Object part : parts) {
			forms.add(part(part, nesting));
		}
		nesting.leave();
		if (inAnyOrder) {
			// in one order, in whatever way its numbers and UUIDs are written
			forms.sort(IN_ANY_SPELLING);
		}
		return COMPOSITE + parts.size() + String.join("", forms);
	}

	private String part(@Nullable Object part, Nesting nesting) {
		if (part == null) {
			nesting.complete = false;
			return "|-";
		}
		return part(format(part, nesting));
	}

	private static String part(String form) {
		return "|" + form.length() + ":" + form;
	}

	private static String joined(String part) {
		int form = part.indexOf(':') + 1;
		return (form == 0) ? part : part(KeySpellings.joined(part.substring(form)));
	}

	private static String number(Number number) {
		if (number instanceof BigInteger || number instanceof Short || number instanceof Byte) {
			return number.toString();
		}
		String text = number.toString();
		try {
			return number((number instanceof BigDecimal exact) ? exact : new BigDecimal(text));
		}
		catch (NumberFormatException ex) {
			return wellFormed(text);
		}
	}

	static String number(BigDecimal number) {
		BigDecimal decimal = number.stripTrailingZeros();
		// the plain form of 1e999999999 would fill the heap
		return (Math.abs((long) decimal.scale()) <= MAX_PLAIN_SCALE) ? decimal.toPlainString() : decimal.toString();
	}

	private static String date(Date date) {
		if (date instanceof java.sql.Date day) {
			return day.toLocalDate().toString();
		}
		if (date instanceof java.sql.Time time) {
			return time.toLocalTime().toString();
		}
		return date.toInstant().toString();
	}

	public static @Nullable List<@Nullable Object> partsOf(Object key) {
		if (key instanceof Collection<?> collection) {
			return new ArrayList<>(collection);
		}
		if (key instanceof Record) {
			List<@Nullable Object> values = new ArrayList<>();
			for (RecordComponent component : key.getClass().getRecordComponents()) {
				values.add(value(component, key));
			}
			return values;
		}
		if (key.getClass().isArray()) {
			return Arrays.asList(ObjectUtils.toObjectArray(key));
		}
		return null;
	}

	private static @Nullable Object value(RecordComponent component, Object key) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), key);
	}

	private @Nullable KeyConverter<?> converter(Class<?> type) {
		for (KeyConverter<?> candidate : this.declared) {
			if (candidate.type().isAssignableFrom(type)) {
				return candidate;
			}
		}
		return null;
	}

	private static <T> Object convert(KeyConverter<T> converter, Object key) {
		return converter.convert(converter.type().cast(key));
	}

	private static final class Nesting {

		private int depth;

		private int parts;

		private boolean complete = true;

		void enter(int size) {
			this.parts += size;
			if (++this.depth > MAX_DEPTH || this.parts > MAX_PARTS) {
				throw new UnsupportedKeyException(
						"it is nested more than " + MAX_DEPTH + " times, or has more than " + MAX_PARTS + " parts");
			}
		}

		void leave() {
			this.depth--;
		}

	}

}
