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

package io.github.bloomguard.testsupport;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is written to a log and to those below it, away from the console. To be
 * opened when all applications have been started, because a start configures the logging
 * anew.
 */
public final class LogLines implements AutoCloseable {

	private final Logger logger;

	private final Level level;

	private final Lines lines = new Lines();

	private LogLines(String name, Level level) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		this.level = this.logger.getLevel();
		this.logger.setLevel(level);
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	/**
	 * Keep what the guard writes for operators: at {@code INFO} and above.
	 * @return the lines
	 */
	public static LogLines ofTheGuard() {
		return new LogLines("io.github.bloomguard", Level.INFO);
	}

	/**
	 * Keep what is written to one log.
	 * @param source the class that the log is of
	 * @param level from which level on
	 * @return the lines
	 */
	public static LogLines of(Class<?> source, Level level) {
		return new LogLines(source.getName(), level);
	}

	/**
	 * Return what was written.
	 * @return the level and the message of each line
	 */
	public List<String> lines() {
		return this.lines.written.stream()
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
	}

	/**
	 * Return what was written, with what an appender adds to it.
	 * @return all lines
	 */
	public List<ILoggingEvent> events() {
		return List.copyOf(this.lines.written);
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(this.level);
		this.logger.setAdditive(true);
	}

	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final Queue<ILoggingEvent> written = new ConcurrentLinkedQueue<>();

		@Override
		protected void append(ILoggingEvent event) {
			event.prepareForDeferredProcessing();
			this.written.add(event);
		}

	}

}
