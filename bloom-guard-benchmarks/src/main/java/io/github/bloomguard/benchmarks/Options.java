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

package io.github.bloomguard.benchmarks;

import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * Reads the options of a runner.
 */
final class Options {

	private Options() {
	}

	/**
	 * Return the value of an option.
	 * @param given what is given
	 * @param name the name of the option
	 * @param otherwise its value if it is not given
	 */
	static String value(SimpleCommandLinePropertySource given, String name, String otherwise) {
		String value = given.getProperty(name);
		return (value != null) ? value : otherwise;
	}

}
