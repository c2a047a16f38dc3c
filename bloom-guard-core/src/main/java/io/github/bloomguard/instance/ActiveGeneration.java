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

package io.github.bloomguard.instance;

import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.Generation;

/**
 * The generation that is asked, and the forms that its keys are stored in.
 */
record ActiveGeneration(Generation generation, StoredFilter filter, TextForms forms) {

	ActiveGeneration(Generation generation, StoredFilter filter) {
		this(generation, filter, generation.forms());
	}

	boolean is(Generation other) {
		return this.generation.id().equals(other.id());
	}

}
