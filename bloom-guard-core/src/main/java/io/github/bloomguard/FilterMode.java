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

package io.github.bloomguard;

/**
 * Defines what the guard does with a filter's answers.
 *
 * @since 1.0.0
 */
public enum FilterMode {

	/**
	 * A definite miss is answered without calling the method.
	 */
	ENFORCE,

	/**
	 * The filter is asked and counted, but each call goes through: a trial run. A
	 * definite miss for which the method finds something is reported as a false negative.
	 */
	SHADOW,

	/**
	 * The filter is not asked, and each call goes through. Added keys are still written,
	 * and a filter that was switched off at run time is still loaded and follows its
	 * sources, so that it is right when it is switched on again. One that is configured
	 * so is not loaded, and follows no change log, before it is switched on.
	 */
	OFF

}
