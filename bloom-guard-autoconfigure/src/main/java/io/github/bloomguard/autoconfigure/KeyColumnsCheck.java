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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.FilterSettings.OnStartup;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.interceptor.MethodAdviceSource;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.RefusedQueryException;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Refuses methods whose keys have no form, and queries whose columns are no keys, or not
 * those that methods ask for, add or remove.
 */
record KeyColumnsCheck(BloomGuardProperties properties, ObjectProvider<QuerySources> queries, KeyFormat format,
		ObjectProvider<MethodAdviceSource> methods, ObjectProvider<KeySource> others) {

	Stream<Runnable> questions() {
		return this.properties.filters()
			.entrySet()
			.stream()
			.filter((filter) -> filter.getValue().mode() != FilterMode.OFF)
			.map((filter) -> question(filter.getKey(), filter.getValue().warmUp().onStartup() != OnStartup.NEVER));
	}

	private Runnable question(String filter, boolean loaded) {
		List<AskedKey> asked = this.methods.stream()
			.flatMap((source) -> source.guarded().askedKeys(filter).stream())
			.toList();
		asked.forEach(this::checkForm);
		boolean comparable = this.others.stream().noneMatch((other) -> other.filter().equals(filter));
		return () -> check(filter, comparable ? asked : List.of(), loaded);
	}

	/**
	 * The tables of a filter that the start does not load may be created later.
	 */
	private void check(String filter, List<AskedKey> asked, boolean loaded) {
		try {
			this.queries.ifAvailable((queries) -> queries.check(filter, this.format, asked));
		}
		catch (RefusedQueryException ex) {
			if (loaded) {
				throw ex;
			}
		}
	}

	private void checkForm(AskedKey asked) {
		asked.parts()
			.stream()
			.filter((part) -> part.type() != Object.class && !this.format.supports(part.type()))
			.findFirst()
			.ifPresent((part) -> {
				throw new InvalidGuardException(asked.asking() + " " + part + ", which can be no key",
						"Name what is the key of it, such as key = \"#"
								+ (part.name().isEmpty() ? "result" : part.name())
								+ ".id\", or declare a KeyConverter bean for it");
			});
	}

}
