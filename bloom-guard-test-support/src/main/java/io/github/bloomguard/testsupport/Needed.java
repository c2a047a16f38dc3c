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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import com.sun.security.auth.module.UnixSystem;
import io.zonky.test.db.postgres.util.LinuxUtils;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * What some tests need of a machine beside a JDK and Maven, or of its time. Where it is
 * missing, or takes long and was not asked for, they are skipped, which the end of the
 * build says. If the system property {@code require.} and its name in lower case is set,
 * they run, or fail. Their types are loaded when they are asked for, as not each module
 * has all of their libraries.
 */
public enum Needed {

	/**
	 * That the PostgreSQL of the tests runs.
	 */
	POSTGRESQL("PostgreSQL", "x86-64, and a user other than root or user namespaces", () -> runsPostgres()),

	/**
	 * The MariaDB of the tests, which takes long.
	 */
	MARIADB("MariaDB", "-Drequire.mariadb, on Linux on x86-64"),

	/**
	 * The MySQL of the tests, which takes long.
	 */
	MYSQL("MySQL", "-Drequire.mysql, on Linux on x86-64 with libaio.so.1 and libnuma.so.1 (Debian: libaio1 libnuma1)"),

	/**
	 * A browser and its driver, which take long.
	 */
	BROWSER("pages", "-Drequire.browser, chromium and chromedriver (Debian: chromium chromium-driver)"),

	/**
	 * The tool of Prometheus that tests rules.
	 */
	PROMTOOL("alerts", "promtool (Debian: prometheus)", () -> find("promtool") != null),

	/**
	 * The client of Redis for a shell.
	 */
	REDIS_CLI("removing", "redis-cli (Debian: redis-tools)", () -> find("redis-cli") != null),

	/**
	 * A server with filters of its own.
	 */
	REDIS_BLOOM("filters of the server",
			"-D" + TestRedis.MODULE + "=FILE.so of RedisBloom, or -D" + TestRedis.RUNNING + "=host:port",
			() -> System.getProperty(TestRedis.MODULE) != null || System.getProperty(TestRedis.RUNNING) != null);

	/**
	 * The system property that names what is taken to be missing, whatever there is.
	 */
	static final String HIDDEN = "bloom-guard.test.missing";

	/**
	 * Where the end of the build looks for what was missing, in each module.
	 */
	static final Path MISSING = Path.of("target", "missing");

	private final String tests;

	private final String need;

	private final BooleanSupplier probe;

	private @Nullable Boolean there;

	/**
	 * What runs only where it is required.
	 */
	Needed(String tests, String need) {
		this(tests, need, () -> false);
	}

	Needed(String tests, String need, BooleanSupplier probe) {
		this.tests = tests;
		this.need = need;
		this.probe = probe;
	}

	/**
	 * Return why tests that need it are skipped.
	 * @return the reason, {@code null} if they run
	 */
	@Nullable String whyNot() {
		boolean hidden = name().equals(System.getProperty(HIDDEN));
		return (!hidden && isThere()) ? null : reason();
	}

	/**
	 * Skip the test that runs if it is missing. What a class starts while it is
	 * initialised can't skip anything: that class is to say that it needs it.
	 */
	void assume() {
		StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
			.walk((frames) -> frames.filter((frame) -> "<clinit>".equals(frame.getMethodName()))
				.map(StackWalker.StackFrame::getDeclaringClass)
				.filter((type) -> !NeedsCondition.needs(type).contains(this))
				.findFirst())
			.ifPresent((type) -> {
				throw new IllegalStateException(type + " is to have @Needs(" + this + ")");
			});
		String reason = whyNot();
		if (reason != null) {
			throw new TestAbortedException(reason);
		}
	}

	private String reason() {
		return "tests of " + this.tests + " need " + this.need;
	}

	private synchronized boolean isThere() {
		if (this.there == null) {
			this.there = System.getProperty("require." + name().toLowerCase(Locale.ROOT)) != null
					|| this.probe.getAsBoolean();
			try {
				Path note = MISSING.resolve(name());
				if (this.there) {
					Files.deleteIfExists(note);
				}
				else {
					Files.createDirectories(MISSING);
					Files.writeString(note, reason() + "\n");
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return this.there;
	}

	/**
	 * Return a program that is on the path.
	 * @param names what it may be called
	 * @return the first that there is, {@code null} if there is none
	 */
	static @Nullable File find(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
				.map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst()
			.orElse(null);
	}

	private static boolean runsPostgres() {
		return "amd64".equals(System.getProperty("os.arch"))
				&& (new UnixSystem().getUid() != 0 || LinuxUtils.isUnshareAvailable());
	}

}
