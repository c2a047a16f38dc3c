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

package io.github.bloomguard.declaration;

import java.lang.reflect.Method;
import java.util.ServiceLoader;

import org.springframework.core.Nullness;

/**
 * What versions of Spring call otherwise. A service is used where there is one, else that
 * of the version that the guard is compiled with.
 */
@FunctionalInterface
public interface SpringVersion {

	/**
	 * The version in use.
	 */
	SpringVersion CURRENT = ServiceLoader.load(SpringVersion.class, SpringVersion.class.getClassLoader())
		.findFirst()
		.orElse((method) -> Nullness.forMethodReturnType(method) == Nullness.NON_NULL);

	/**
	 * Return whether a method is declared not to return {@code null}.
	 */
	boolean isNeverNull(Method method);

}
