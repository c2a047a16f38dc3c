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

package io.github.bloomguard.autoconfigure;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.library.Library;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * Says which version of a library the guard has met that lacks what it calls, or that
 * lacks something of another library itself.
 */
class LinkageFailureAnalyzer extends AbstractFailureAnalyzer<LinkageError> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LinkageError cause) {
		return explanation(rootFailure, cause)
			.map((explanation) -> new FailureAnalysis(explanation.getProblem() + ".",
					StringUtils.capitalize(explanation.getRemedy()) + ".", cause))
			.orElse(null);
	}

	private static Optional<InvalidGuardException> explanation(Throwable rootFailure, LinkageError cause) {
		if (isOfConfiguration(rootFailure)) {
			return Library.explanation(cause).or(() -> Library.told(cause));
		}
		return isCalledByTheGuard(cause) ? Library.told(cause) : Optional.empty();
	}

	private static boolean isCalledByTheGuard(LinkageError error) {
		return Stream.of(error.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().startsWith("io.github.bloomguard."));
	}

	/**
	 * Return whether Spring has looked at a class of the guard that names what is
	 * missing.
	 */
	private static boolean isOfConfiguration(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.anyMatch((thrown) -> String.valueOf(thrown.getMessage()).contains("[io.github.bloomguard."));
	}

}
