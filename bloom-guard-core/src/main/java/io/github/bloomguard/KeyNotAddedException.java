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

import java.util.concurrent.TimeoutException;

/**
 * Keys could not be added to a filter. A row that is stored all the same might be
 * reported as not found.
 *
 * @since 1.0.0
 */
public class KeyNotAddedException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param filter the name of the filter
	 * @param cause why Redis did not take the keys
	 */
	public KeyNotAddedException(String filter, Throwable cause) {
		this(filter, reason(cause), cause);
	}

	private static String reason(Throwable cause) {
		if (cause instanceof TimeoutException) {
			return "Redis did not take them in time. Mend it, add fewer in a transaction, raise bloom-guard.add-timeout";
		}
		if (cause instanceof InvalidGuardException invalid) {
			return "Redis can't be asked: %s. For that, %s".formatted(invalid.getProblem(), invalid.getRemedy());
		}
		return "Redis did not take them: %s. Mend Redis".formatted(cause);
	}

	/**
	 * Create an exception about a listener that may go on calling keys absent.
	 * @param filter the name of the filter
	 * @param listener what was told of the keys, and failed
	 * @param cause its failure
	 */
	public KeyNotAddedException(String filter, AddedKeysListener listener, Throwable cause) {
		this(filter, "the %s that was told has failed: %s. Mend that".formatted(listener.getClass().getName(), cause),
				cause);
	}

	/**
	 * Create an exception with a reason.
	 * @param filter the name of the filter
	 * @param reason why the keys could not be added, and what helps
	 * @param cause what has failed
	 */
	public KeyNotAddedException(String filter, String reason, Throwable cause) {
		super(("Keys could not be added to the filter '%1$s', because %2$s, or choose what is to happen meanwhile by"
				+ " bloom-guard.filters.%1$s.add-failure: with 'fail', the default, the call and its transaction fail,"
				+ " so no row is written that the filter lacks; with 'mistrust' the row is written, and the filter lets"
				+ " all calls through until it has been rebuilt")
			.formatted(filter, reason), cause);
	}

	/**
	 * Create an exception about a key that is {@code null}, or of which a part is.
	 * @param filter the name of the filter
	 */
	public KeyNotAddedException(String filter) {
		super(("A key that is null, or of which a part is, could not be added to the filter '%1$s': the row has none"
				+ " yet. If the database generates it, flush the session, or MyBatis' batch, and take it from #result, without"
				+ " 'before' of @BloomAdd. If no row was inserted, let 'condition' say so. With bloom-guard.filters.%1$s.add-failure 'mistrust' the row"
				+ " is written, and the filter asked again when it has been rebuilt")
			.formatted(filter), null);
	}

}
