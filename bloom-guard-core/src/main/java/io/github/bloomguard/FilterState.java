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
 * The state of a filter as one instance of the application sees it.
 *
 * @since 1.0.0
 */
public enum FilterState {

	/**
	 * The keys are not loaded yet: every call goes through.
	 */
	LOADING,

	/**
	 * The keys are loaded, and older instances, which add none, may still insert rows:
	 * every call goes through.
	 */
	SETTLING,

	/**
	 * The keys are loaded, and calls find out whether the filter is right: every call
	 * goes through.
	 */
	PROVING,

	/**
	 * A sealed generation answers, and is believed.
	 */
	READY,

	/**
	 * The generation that answered is not intact any more (evicted, flushed, deleted):
	 * every answer is {@link Membership#UNKNOWN} until a rebuild has been sealed.
	 */
	LOST,

	/**
	 * A key was found that the active generation had called absent before it had proven
	 * itself: the sources of keys give them in another form than calls do, or not all of
	 * them. Every answer is {@link Membership#UNKNOWN} until the filter has been loaded
	 * again, which happens by itself, or until that is acknowledged. If it can't be
	 * loaded, it may prove itself anew after ten minutes.
	 */
	REFUTED,

	/**
	 * Redis did not answer in time: every answer is {@link Membership#UNKNOWN} until it
	 * does.
	 */
	UNREACHABLE,

	/**
	 * The mode is {@link FilterMode#SHADOW}: every call goes through. A filter in this
	 * mode that is {@link #LOST}, {@link #REFUTED} or {@link #UNREACHABLE} has that state
	 * instead.
	 */
	SHADOW,

	/**
	 * The mode is {@link FilterMode#OFF}: every call goes through.
	 */
	OFF

}
