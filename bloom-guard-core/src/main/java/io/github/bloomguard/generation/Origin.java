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

package io.github.bloomguard.generation;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.TextForms;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of a filter come from: a configured part, and a part that has to be
 * looked up, such as the database and the version of its schema. It is written as
 * {@code form_configured-application.databases-version}, with a plus between the
 * databases, and after a tilde how they compare text and in which ways keys may be
 * written, unless that is exactly and in any way. The form is a number for how keys are
 * written, which {@link KeyFormat#VERSION} is in this version of bloom-guard.
 * <p>
 * Until it has been looked up, it is one that no generation has, so nothing is answered.
 * It is looked up again if another instance with the same configuration has found
 * something else, and if the version of the schema has changed: a migration has been run
 * meanwhile.
 * <p>
 * Concurrency: looked up by one thread at a time, which publishes the value in a volatile
 * field. Another one, which looks for migrations, may clear it. If a look-up that began
 * before the migration overwrites that, the next look finds the migration again.
 */
public final class Origin {

	/**
	 * Stands for any database.
	 */
	public static final String UNKNOWN_DATABASE = "?";

	/**
	 * Begins the databases if they are in the memory of this process.
	 */
	public static final String OWN = "*";

	private static final char TEXT = '~';

	private static final char CONFIGURED = '_';

	private static final Pattern FORM = Pattern.compile("([^-.]*)-([^-.]*)\\.([^-.]*)-.*");

	private final String configured;

	private final String application;

	private final Supplier<String> lookup;

	/**
	 * Asks for the version alone, {@code null} if there is none.
	 */
	private final @Nullable Supplier<String> version;

	private final boolean rewritten;

	private final boolean reader;

	private volatile Supplier<String> terms = () -> "";

	private final Set<String> considered = Collections.newSetFromMap(new ConcurrentHashMap<>());

	private volatile @Nullable String value;

	private volatile @Nullable TextForms text;

	private volatile boolean own;

	/**
	 * Create an origin that is not known yet.
	 * @param lookup finds the rest of it, and may wait for a database
	 * @param version finds the version of the schema, which ends the rest
	 * @param rewritten whether each start writes rows that are not added, so that what
	 * was loaded before may lack them
	 */
	public Origin(String configured, String application, Supplier<String> lookup, Supplier<String> version,
			boolean rewritten) {
		this(configured, application, lookup, rewritten, version, false);
	}

	private Origin(String configured, String application, Supplier<String> lookup, boolean rewritten,
			@Nullable Supplier<String> version, boolean reader) {
		this.reader = reader;
		this.configured = configured;
		this.application = application;
		this.lookup = lookup;
		this.version = version;
		this.rewritten = rewritten;
	}

	public static Origin of(String value) {
		Origin origin = new Origin(value, "", () -> "", false, null, false);
		origin.use(value);
		return origin;
	}

	/**
	 * Return the origin of instances that ask the filter of another application. They
	 * have no keys, so nothing is loaded from it, and no record ever has it.
	 * @param application the other application, as it stands in its origins
	 */
	public static Origin ofReader(String application) {
		String value = located("", application, "-");
		Origin origin = new Origin(value, application, () -> "", false, null, true);
		origin.use(value);
		return origin;
	}

	/**
	 * Return whether its instances only ask the filter of the application that it names.
	 */
	public boolean isReader() {
		return this.reader;
	}

	/**
	 * Set what is told to readers as soon as the origin is known.
	 */
	public void tell(Supplier<OwnerTerms> terms) {
		this.terms = () -> terms.get().code();
	}

	/**
	 * Return what is told to readers, empty if there is nothing to tell yet.
	 */
	public String terms() {
		return isKnown() ? this.terms.get() : "";
	}

	public String value() {
		String value = this.value;
		return (value != null) ? value : located(UNKNOWN_DATABASE + "-unknown");
	}

	/**
	 * Return the configured part with how this version of bloom-guard writes keys.
	 */
	public static String inThisForm(String configured) {
		return String.valueOf(KeyFormat.VERSION) + CONFIGURED + configured;
	}

	private String located(String place) {
		return located(this.configured, this.application, place);
	}

	public static String located(String configured, String application, String place) {
		return configured + "-" + application + "." + place;
	}

	/**
	 * Return an origin without its version. All that write one version write the others
	 * too, so a rollout that is over for one is over for all.
	 */
	public static String place(String origin) {
		int version = origin.lastIndexOf('-');
		return (version > origin.indexOf('-')) ? origin.substring(0, version) : origin;
	}

	/**
	 * Return the application that an origin is one of, nothing if it names none.
	 */
	public static String application(String origin) {
		Matcher form = FORM.matcher(origin);
		return form.matches() ? form.group(2) : "";
	}

	/**
	 * Return whether two origins are those of versions of one application that may write
	 * the same tables but add other keys, so that neither knows all rows of the other.
	 */
	public static boolean areRivals(String one, String other) {
		Matcher first = FORM.matcher(one);
		Matcher second = FORM.matcher(other);
		return first.matches() && second.matches() && !first.group(1).equals(second.group(1))
				&& first.group(2).equals(second.group(2))
				&& haveOneInCommon(List.of(first.group(3).split("\\+")), List.of(second.group(3).split("\\+")));
	}

	/**
	 * Return whether rivals write keys in different forms, so that neither adds what the
	 * other asks for, although both may add the keys of the same rows.
	 */
	public static boolean writeOtherForms(String one, String other) {
		return !form(one).equals(form(other));
	}

	/**
	 * Return whether keys are written as this version of bloom-guard writes them.
	 */
	public static boolean isInThisForm(String origin) {
		return form(origin).equals(String.valueOf(KeyFormat.VERSION));
	}

	/**
	 * Return how keys are written, nothing for what release candidate 1 has written.
	 */
	private static String form(String origin) {
		int end = origin.indexOf(CONFIGURED);
		return (end >= 0 && end < origin.indexOf('-')) ? origin.substring(0, end) : "";
	}

	private static boolean haveOneInCommon(List<String> databases, List<String> others) {
		boolean unknown = databases.contains(UNKNOWN_DATABASE) || others.contains(UNKNOWN_DATABASE);
		return !databases.contains("") && !others.contains("")
				&& (unknown || databases.stream().anyMatch(others::contains));
	}

	public static String version(String version, TextForms text) {
		return text.code().isEmpty() ? version : version + TEXT + text.code();
	}

	static TextForms text(String origin) {
		int begin = origin.indexOf(TEXT);
		return (begin < 0) ? TextForms.EXACT : TextForms.of(origin.substring(begin + 1));
	}

	/**
	 * Return whether one process alone writes the rows of an origin.
	 */
	public static boolean isOwn(String origin) {
		return origin.contains("." + OWN);
	}

	/**
	 * Return whether this process alone writes the rows.
	 */
	public boolean isOwn() {
		return this.own;
	}

	public boolean isKnown() {
		return this.value != null;
	}

	public boolean isOutdated() {
		return this.rewritten && !isKnown();
	}

	public boolean isDue(@Nullable ControlRecord record) {
		return !isKnown() || others(record).anyMatch((origin) -> !this.considered.contains(origin));
	}

	/**
	 * Look up what it is now. May wait for a database.
	 */
	public String lookUp(@Nullable ControlRecord record) {
		Set<String> others = Set.copyOf(others(record).toList());
		String value = located(this.lookup.get());
		this.considered.retainAll(others);
		this.considered.addAll(others);
		return value;
	}

	/**
	 * Forget what it is if the schema has another version now. May wait for a database.
	 * @return whether it is to be looked up again
	 */
	public boolean forgetIfMigrated() {
		String known = this.value;
		if (known == null || this.version == null || this.version.get().equals(versionOf(known))) {
			return false;
		}
		this.value = null;
		return true;
	}

	private static String versionOf(String origin) {
		String version = origin.substring(place(origin).length() + 1);
		int text = version.indexOf(TEXT);
		return (text < 0) ? version : version.substring(0, text);
	}

	public void use(String value) {
		this.text = text(value);
		this.own = isOwn(value);
		this.value = value;
	}

	public @Nullable TextForms text() {
		return this.text;
	}

	private Stream<String> others(@Nullable ControlRecord record) {
		return (record == null) ? Stream.empty()
				: record.generations()
					.stream()
					.map(Generation::origin)
					.filter((origin) -> origin.startsWith(this.configured + "-") && !origin.equals(this.value));
	}

}
