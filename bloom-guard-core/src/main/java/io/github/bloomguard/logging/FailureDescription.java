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

package io.github.bloomguard.logging;

import java.net.SocketException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.bloomguard.library.Library;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Describes a failure in a few words for the log and the endpoint. Messages of drivers
 * and frameworks contain statements and parameters, so of most exceptions only the type
 * and the SQL state are told.
 */
public final class FailureDescription {

	private static final String OWN = "io.github.bloomguard.";

	private FailureDescription() {
	}

	public static String of(Throwable failure) {
		Throwable thrown = unwrap(Library.explain(failure));
		if (isOwn(thrown)) {
			return part(thrown);
		}
		Throwable cause = cause(thrown);
		return part(thrown) + ((cause != thrown) ? ", caused by " + part(cause) : "") + state(thrown);
	}

	/**
	 * Return the cause that has something to tell, or else the root.
	 */
	private static Throwable cause(Throwable thrown) {
		Throwable cause = thrown;
		while (cause.getCause() != null) {
			cause = cause.getCause();
			if (isTelling(cause) && message(cause) != null) {
				return cause;
			}
		}
		return cause;
	}

	private static Throwable unwrap(Throwable failure) {
		Throwable thrown = failure;
		while (thrown.getCause() != null && message(thrown) == null) {
			thrown = thrown.getCause();
		}
		return thrown;
	}

	private static @Nullable String message(Throwable failure) {
		String message = failure.getMessage();
		return Objects.equals(message, String.valueOf(failure.getCause())) ? null : message;
	}

	private static String part(Throwable failure) {
		String type = ClassUtils.getShortName(failure.getClass());
		String message = isTelling(failure) ? message(failure) : null;
		if (message == null) {
			return type;
		}
		return isOwn(failure) ? LogText.ofOwn(message) : type + ": " + LogText.of(message);
	}

	private static boolean isOwn(Throwable failure) {
		return failure.getClass().getName().startsWith(OWN);
	}

	private static boolean isTelling(Throwable failure) {
		if (failure instanceof SQLException || failure instanceof IllegalArgumentException
				|| failure instanceof DateTimeException) {
			return false; // quotes a statement, or the argument that is none
		}
		return failure instanceof SocketException
				|| Stream.of(OWN, "java.", "javax.", "org.springframework.expression.")
					.anyMatch(failure.getClass().getName()::startsWith);
	}

	private static String state(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				return " (SQL state " + LogText.of(sql.getSQLState())
						+ ((sql.getErrorCode() != 0) ? ", code " + sql.getErrorCode() : "") + meaning(sql.getSQLState())
						+ ")";
			}
		}
		return "";
	}

	/**
	 * Return what the class of an SQL state says, where that tells what to look at.
	 */
	private static String meaning(String state) {
		return switch (state.substring(0, Math.min(2, state.length()))) {
			case "08" -> ": the database can't be reached";
			case "28" -> ": the database refuses the user or the password of the DataSource";
			case "3D" -> ": the database that the URL of the DataSource names does not exist";
			case "42" -> ": the database refuses the statement, or the user may not run it";
			case "53" -> ": the database has no room or no connection left";
			default -> "";
		};
	}

}
