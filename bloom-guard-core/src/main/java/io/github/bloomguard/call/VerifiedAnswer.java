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

package io.github.bloomguard.call;

import java.util.concurrent.CompletionStage;

import io.github.bloomguard.Loader;

/**
 * An absent answer that is to be verified.
 */
@FunctionalInterface
public interface VerifiedAnswer {

	/**
	 * Find out whether a call may be answered with nothing: from the source of the keys,
	 * or by a call if that can't tell. A key that is found, and would still be called
	 * absent, is a false negative, and added. To be called once, and soon, because others
	 * that ask for the key wait for it.
	 * @param call makes the call on another thread
	 * @return {@code false} if the call is to be made, because there is such a row, or
	 * because it is not known. Known at once if that is found out later. Takes at most
	 * {@code bloom-guard.timeout}, does not fail, and reaches those who follow it on a
	 * thread that user code may block
	 */
	Answer<Boolean> stands(Loader<? extends CompletionStage<Boolean>, ?> call);

}
