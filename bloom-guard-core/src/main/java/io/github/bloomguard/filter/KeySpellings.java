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

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * In which ways each part of a key may be written, as one or another of the sources of a
 * filter says. A key is kept in the ways of all of them. Where a part is not known, it is
 * joined with all that it may be: a row is never hidden.
 */
public final class KeySpellings {

	/**
	 * Those of parts of which nothing is known.
	 */
	public static final KeySpellings UNKNOWN = new KeySpellings(List.of());

	private static final Set<Spelling> ANY = EnumSet.of(Spelling.ANY);

	private static final Set<Spelling> ALL = EnumSet.allOf(Spelling.class);

	private static final String NEXT_PART = ",";

	private final List<Set<Spelling>> parts;

	private final boolean verbatim;

	KeySpellings(List<Set<Spelling>> parts) {
		this.parts = List.copyOf(parts);
		this.verbatim = !parts.isEmpty() && parts.stream().allMatch(EnumSet.of(Spelling.TEXT)::equals);
	}

	/**
	 * Join what several sources say of the parts of a key.
	 */
	public static KeySpellings together(List<List<Spelling>> sources) {
		if (sources.stream().allMatch(List::isEmpty)) {
			return UNKNOWN;
		}
		int most = sources.stream().mapToInt(List::size).max().orElse(0);
		boolean alike = sources.stream().allMatch((source) -> source.size() == most);
		return new KeySpellings(IntStream.range(0, most)
			.mapToObj((part) -> alike ? sources.stream().map((source) -> source.get(part)).collect(Collectors.toSet())
					: ALL)
			.toList());
	}

	/**
	 * Return the spellings with a code. A letter that another version has written, and
	 * this one does not know, stands for all.
	 */
	static KeySpellings of(String code) {
		return new KeySpellings(Stream.of(code.split(NEXT_PART, -1)).map(KeySpellings::part).toList());
	}

	private static Set<Spelling> part(String letters) {
		Set<Spelling> part = EnumSet.noneOf(Spelling.class);
		for (char letter : letters.toCharArray()) {
			Stream.of(Spelling.values())
				.filter((spelling) -> letter(spelling) == letter)
				.findFirst()
				.ifPresentOrElse(part::add, () -> part.addAll(ALL));
		}
		return part;
	}

	private static char letter(Spelling spelling) {
		return switch (spelling) {
			case TEXT -> 'T';
			case NUMBER -> 'N';
			case ANY -> 'A';
		};
	}

	/**
	 * Return a capital for each way in which a part may be written.
	 */
	String code() {
		return this.parts.stream()
			.map((part) -> part.stream()
				.sorted()
				.map((spelling) -> Character.toString(letter(spelling)))
				.collect(Collectors.joining()))
			.collect(Collectors.joining(NEXT_PART));
	}

	boolean areKnown() {
		return !this.parts.isEmpty();
	}

	/**
	 * Return whether each text is a key of its own.
	 */
	boolean areVerbatim() {
		return this.verbatim;
	}

	/**
	 * Return the form that all ways of writing a key have in common, whatever its column.
	 */
	public static String joined(String form) {
		if (!CompositeForm.isOne(form)) {
			return CanonicalText.of(form);
		}
		List<String> joined = CompositeForm.rewritten(form, (index, part) -> List.of(joined(part)), false, 1);
		return (joined != null) ? joined.get(0) : form;
	}

	/**
	 * Return the forms of a key, {@code null} if there are more than so many.
	 */
	@Nullable List<String> of(String form, int most) {
		if (this.verbatim) {
			return List.of(form);
		}
		return CompositeForm.isOne(form) ? CompositeForm.rewritten(form, this::ofPart, false, most) : ofPart(0, form);
	}

	/**
	 * Return the forms of a part. One that has parts itself is in no column.
	 */
	List<String> ofPart(int index, String part) {
		if (CompositeForm.isOne(part)) {
			return List.of(joined(part));
		}
		Set<Spelling> spellings = (index < this.parts.size()) ? this.parts.get(index) : ANY;
		if (spellings.size() == 1 && !spellings.contains(Spelling.NUMBER)) {
			return List.of(spellings.contains(Spelling.TEXT) ? part : CanonicalText.of(part));
		}
		Set<String> forms = new LinkedHashSet<>();
		if (spellings.contains(Spelling.TEXT)) {
			forms.add(part);
		}
		// a text of digits of another script is a number to Java, and to no database
		forms.add(CanonicalText.of(part));
		if (spellings.contains(Spelling.NUMBER)) {
			forms.add(CanonicalText.leadingNumber(part));
		}
		return List.copyOf(forms);
	}

}
