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

package io.github.bloomguard.feed;

import java.util.concurrent.CompletableFuture;

/**
 * A barrier before an absent answer: every key is added whose row was visible when the
 * question came.
 */
@FunctionalInterface
public interface AbsenceBarrier {

	AbsenceBarrier NONE = () -> CompletableFuture.completedFuture(true);

	/**
	 * Wait for the keys of all rows that are visible now.
	 * @return whether they are added; {@code false} if that is not known in time. It
	 * never completes exceptionally, and soon after the longest wait at the latest
	 */
	CompletableFuture<Boolean> pass();

}
