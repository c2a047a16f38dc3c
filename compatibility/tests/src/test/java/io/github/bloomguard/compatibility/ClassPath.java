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

package io.github.bloomguard.compatibility;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The class path of the module's application, on which there are no tests.
 */
final class ClassPath {

	private final Set<String> entries = new LinkedHashSet<>();

	private ClassPath() {
		this.entries.add(Path.of(System.getProperty("compatibility.probe")).normalize().toString());
	}

	/**
	 * Return the class path without bloom-guard.
	 */
	static ClassPath ofApplication() {
		return new ClassPath().with("compatibility.application");
	}

	/**
	 * Return the class path with bloom-guard.
	 */
	static ClassPath ofGuardedApplication() {
		return ofApplication().with("compatibility.guard");
	}

	private ClassPath with(String property) {
		try {
			String entries = Files.readString(Path.of(System.getProperty(property))).strip();
			if (!entries.isEmpty()) {
				this.entries.addAll(List.of(entries.split(File.pathSeparator)));
			}
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Put something before the others.
	 */
	ClassPath startingWith(Path entry) {
		Collection<String> others = List.copyOf(this.entries);
		this.entries.clear();
		this.entries.add(entry.toString());
		this.entries.addAll(others);
		return this;
	}

	URL[] urls() {
		return this.entries.stream().map(ClassPath::url).toArray(URL[]::new);
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@Override
	public String toString() {
		return String.join(File.pathSeparator, this.entries);
	}

}
