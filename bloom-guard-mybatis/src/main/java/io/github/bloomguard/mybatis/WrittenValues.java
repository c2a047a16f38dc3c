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

package io.github.bloomguard.mybatis;

import java.util.List;

/**
 * What is written to a column.
 *
 * @param parameters the indexes of those that are the values
 * @param placeholders how many there are in the statement
 */
record WrittenValues(Kind kind, List<Integer> parameters, int placeholders) {

	static final WrittenValues NOTHING = new WrittenValues(Kind.NOTHING, List.of(), 0);

	static final WrittenValues DEFAULT = new WrittenValues(Kind.DEFAULT, List.of(), 0);

	static final WrittenValues UNKNOWN = new WrittenValues(Kind.UNKNOWN, List.of(), 0);

	enum Kind {

		NOTHING,

		/**
		 * The column is left out.
		 */
		DEFAULT,

		PARAMETERS,

		UNKNOWN

	}

}
