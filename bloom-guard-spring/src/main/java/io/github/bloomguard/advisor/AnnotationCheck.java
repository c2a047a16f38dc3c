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

package io.github.bloomguard.advisor;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.declaration.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * Applies to a method what would stop the start if it was annotated.
 */
@FunctionalInterface
interface AnnotationCheck {

	/**
	 * Return why the annotation would be refused, {@code null} if it would not.
	 * @param missing the exception that is thrown for nothing
	 * @param cached whether the filter has the caches of the method
	 */
	@Nullable InvalidGuardException refusal(AnnotatedMethod method, String filter, String key, @Nullable Class<?> missing,
			boolean cached);

}
