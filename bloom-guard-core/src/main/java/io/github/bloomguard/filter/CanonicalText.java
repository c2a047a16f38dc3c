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

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * Gives text that is a UUID or a number the form of that: databases find the UUID in
 * capitals, in braces and without dashes, and the number 7 for {@code 007}, {@code +7}
 * and {@code 7.0}. Text that a database tells apart may get one form, but never the other
 * way round.
 */
final class CanonicalText {

	private static final String UUID_SHAPE = "........-....-....-....-............";

	private static final int UUID_DIGITS = 32;

	/**
	 * With braces, a dash after every four digits, and room for blanks.
	 */
	private static final int MAX_UUID_LENGTH = 50;

	/**
	 * Longer numbers are text: to read one takes a time that grows with the square of its
	 * length, and keys come from requests.
	 */
	private static final int MAX_DIGITS = 1000;

	private CanonicalText() {
	}

	static String of(String text) {
		if (text.isEmpty()) {
			return text;
		}
		String form = (text.length() == UUID_SHAPE.length()) ? uuid(text) : null;
		if (form == null && mayBegin(text.charAt(0))) {
			form = isCanonicalInteger(text) ? text : number(text);
		}
		if (form == null && text.length() >= UUID_DIGITS && text.length() <= MAX_UUID_LENGTH) {
			form = looseUuid(text);
		}
		return (form != null) ? form : text;
	}

	private static @Nullable String uuid(String text) {
		if (isCanonicalUuid(text)) {
			return text;
		}
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if ((UUID_SHAPE.charAt(i) == '-') ? character != '-' : Character.digit(character, 16) < 0) {
				return null;
			}
		}
		return lowerCase(text);
	}

	/**
	 * Each key of a UUID column comes by here, nearly all in this form.
	 */
	private static boolean isCanonicalUuid(String text) {
		if (text.charAt(8) != '-' || text.charAt(13) != '-' || text.charAt(18) != '-' || text.charAt(23) != '-') {
			return false;
		}
		int digits = 0;
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f')) {
				digits++;
			}
		}
		return digits == UUID_DIGITS;
	}

	/**
	 * Read a UUID with or without braces, blanks around it, and dashes wherever they are.
	 */
	private static @Nullable String looseUuid(String text) {
		StringBuilder uuid = new StringBuilder(UUID_SHAPE.length());
		int last = text.length() - 1;
		for (int i = 0; i <= last; i++) {
			char character = text.charAt(i);
			int digit = Character.digit(character, 16);
			if (digit >= 0) {
				if (UUID_SHAPE.length() > uuid.length() && UUID_SHAPE.charAt(uuid.length()) == '-') {
					uuid.append('-');
				}
				uuid.append(Character.forDigit(digit, 16));
			}
			else if (character != '-' && character != '{' && character != '}' && !isBlank(character)) {
				return null;
			}
		}
		return (uuid.length() == UUID_SHAPE.length()) ? uuid.toString() : null;
	}

	/**
	 * Return the number that a text begins with, as databases read it that compare any
	 * text with numbers: 0 if it begins with none.
	 */
	static String leadingNumber(String text) {
		int from = 0;
		while (from < text.length() && isBlank(text.charAt(from))) {
			from++;
		}
		int unsigned = (from < text.length() && isSign(text.charAt(from))) ? from + 1 : from;
		int whole = asciiDigits(text, unsigned);
		int end = (whole < text.length() && text.charAt(whole) == '.') ? asciiDigits(text, whole + 1) : whole;
		if (end - unsigned == 0 || (whole == unsigned && end == whole + 1)) {
			return "0";
		}
		if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
			int exponent = (end + 1 < text.length() && isSign(text.charAt(end + 1))) ? end + 2 : end + 1;
			int exponentEnd = asciiDigits(text, exponent);
			end = (exponentEnd > exponent) ? exponentEnd : end;
		}
		String leading = text.substring(from, end);
		String number = number(leading);
		return (number != null) ? number : leading;
	}

	private static int asciiDigits(String text, int from) {
		int end = from;
		while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
			end++;
		}
		return end;
	}

	private static String lowerCase(String uuid) {
		StringBuilder canonical = new StringBuilder(uuid);
		for (int i = 0; i < uuid.length(); i++) {
			if (uuid.charAt(i) != '-') {
				canonical.setCharAt(i, Character.forDigit(Character.digit(uuid.charAt(i), 16), 16));
			}
		}
		return canonical.toString();
	}

	private static boolean mayBegin(char first) {
		return Character.isDigit(first) || first == '-' || first == '+' || first == '.' || isBlank(first);
	}

	private static boolean isBlank(char character) {
		return character <= ' ' || Character.isWhitespace(character);
	}

	private static boolean isCanonicalInteger(String text) {
		int first = text.startsWith("-") ? 1 : 0;
		if (text.length() == first || text.charAt(first) < '1') {
			return text.equals("0");
		}
		for (int i = first; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

	private static @Nullable String number(String text) {
		int from = 0;
		int to = text.length();
		while (from < to && isBlank(text.charAt(from))) {
			from++;
		}
		while (from < to && isBlank(text.charAt(to - 1))) {
			to--;
		}
		int unsigned = (from < to && isSign(text.charAt(from))) ? from + 1 : from;
		if (!isNumber(text, unsigned, to)) {
			return null;
		}
		int digits = unsigned;
		while (digits < to - 1 && Character.digit(text.charAt(digits), 10) == 0
				&& Character.isDigit(text.charAt(digits + 1))) {
			digits++;
		}
		if (to - digits > MAX_DIGITS) {
			return text;
		}
		try {
			BigDecimal number = new BigDecimal(text.substring(digits, to));
			return KeyFormat.number((text.charAt(from) == '-') ? number.negate() : number);
		}
		catch (ArithmeticException | NumberFormatException ex) {
			// its exponent is too large for any number
			return text;
		}
	}

	private static boolean isNumber(String text, int from, int to) {
		int whole = digits(text, from, to);
		int end = (whole < to && text.charAt(whole) == '.') ? digits(text, whole + 1, to) : whole;
		boolean any = whole > from || end > whole + 1;
		if (end < to && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
			int exponent = (end + 1 < to && isSign(text.charAt(end + 1))) ? end + 2 : end + 1;
			end = digits(text, exponent, to);
			any &= end > exponent;
		}
		return any && end == to;
	}

	private static int digits(String text, int from, int to) {
		int end = from;
		while (end < to && Character.isDigit(text.charAt(end))) {
			end++;
		}
		return end;
	}

	private static boolean isSign(char character) {
		return character == '+' || character == '-';
	}

}
