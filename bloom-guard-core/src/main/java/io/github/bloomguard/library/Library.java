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

package io.github.bloomguard.library;

import java.net.URL;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * A library of which the application may have pinned a version that the guard can't run
 * with. A class or method that is missing is told as that, and not as a server that does
 * not answer.
 */
public enum Library {

	REDISSON("Redisson", "org.redisson:redisson", "org.redisson.", "Redisson", "3.17", "3.51.0"),

	SPRING_DATA_REDIS("Spring Data Redis", "org.springframework.data:spring-data-redis",
			"org.springframework.data.redis.", "connection.RedisConnectionFactory", "3.5", "3.5.13"),

	LETTUCE("Lettuce", "io.lettuce:lettuce-core", "io.lettuce.", "core.RedisClient", "6.6", "6.6.0.RELEASE"),

	JEDIS("Jedis", "redis.clients:jedis", "redis.clients.", "jedis.Jedis", "6.0", "6.0.0"),

	HIBERNATE("Hibernate", "org.hibernate.orm:hibernate-core", "org.hibernate.", "Session", "6.6", "6.6.53.Final"),

	SPRING_DATA_JDBC("Spring Data JDBC", "org.springframework.data:spring-data-jdbc", "org.springframework.data.jdbc.",
			"core.JdbcAggregateOperations", "3.5", "3.5.13"),

	MYBATIS_PLUS("MyBatis-Plus", "com.baomidou:mybatis-plus-core", "com.baomidou.",
			"mybatisplus.core.mapper.BaseMapper", "3.5", "3.5.16"),

	MYBATIS("MyBatis", "org.mybatis:mybatis", "org.apache.ibatis.", "session.SqlSession", "3.5", "3.5.19"),

	MONGODB("MongoDB's driver", "org.mongodb:mongodb-driver-core", "com.mongodb.", "event.CommandListener", "5.4",
			"5.5.2"),

	BINARY_LOG("the reader of MySQL's binary log", "com.zendesk:mysql-binlog-connector-java",
			"com.github.shyiko.mysql.", "binlog.BinaryLogClient", "0.30", "0.30.1"),

	POSTGRESQL("PostgreSQL's driver", "org.postgresql:postgresql", "org.postgresql.", "PGConnection", "42.7", "42.7.7");

	/**
	 * The newest version of Redisson that the guard is run with. It is Redisson's insides
	 * that the guard calls, which may change with any version.
	 */
	private static final String NEWEST_REDISSON = "4.7";

	private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)");

	private static final Pattern IN_NAME = Pattern.compile("-(\\d+[^/]*)\\.jar");

	private final String title;

	private final String artifact;

	private final String packages;

	private final String type;

	private final String oldest;

	private final String advised;

	Library(String title, String artifact, String packages, String type, String oldest, String advised) {
		this.title = title;
		this.artifact = artifact;
		this.packages = packages;
		this.type = packages + type;
		this.oldest = oldest;
		this.advised = advised;
	}

	/**
	 * Fail if the version that is found is older than the oldest one that the guard runs
	 * with.
	 */
	public void require() {
		found().filter((found) -> isOlder(found.version())).ifPresent((found) -> {
			throw new InvalidGuardException(
					"bloom-guard needs %s %s or later, and this is %s".formatted(this.title, this.oldest, found),
					remedy());
		});
	}

	/**
	 * Return what is to be told if the version that is found is newer than the newest one
	 * that the guard is run with, empty if it is not.
	 */
	public Optional<String> untried() {
		return found().filter((found) -> isNewer(found.version()))
			.map((found) -> "bloom-guard was run with %s up to %s, and this is %s: if it lacks what the guard calls, the"
				.formatted(this.title, NEWEST_REDISSON, found)
					+ " filters are UNREACHABLE, calls go through, and the log says what is missing");
	}

	/**
	 * Return what is to be told if a failure means that a library lacks what the guard
	 * names, or else the failure as it is.
	 */
	public static Throwable explain(Throwable failure) {
		return Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.filter(LinkageError.class::isInstance)
			.flatMap((error) -> told((LinkageError) error).stream())
			.<Throwable>map((explanation) -> explanation)
			.findFirst()
			.orElse(failure);
	}

	/**
	 * Return what is to be told if a class of the guard lacks something of a library, or
	 * a library lacks something of another one, empty otherwise.
	 */
	public static Optional<InvalidGuardException> told(LinkageError error) {
		return isOfTheGuard(error) ? explanation(error)
				: linked(error).flatMap((name) -> of(name).findFirst()).map((library) -> library.misses(error));
	}

	/**
	 * Return whether it was a class of the guard that could not be linked. A method that
	 * is guarded may miss something of a library, too.
	 */
	private static boolean isOfTheGuard(LinkageError error) {
		return linked(error).filter((name) -> name.startsWith("io.github.bloomguard.")).isPresent();
	}

	/**
	 * Return the name of the class that could not be linked.
	 */
	private static Optional<String> linked(LinkageError error) {
		return Arrays.stream(error.getStackTrace())
			.map(StackTraceElement::getClassName)
			.filter((name) -> !name.startsWith("java.") && !name.startsWith("jdk.")
					&& !name.startsWith("org.springframework.boot.loader."))
			.findFirst();
	}

	private static Stream<Library> of(String name) {
		return Arrays.stream(values()).filter((library) -> name.startsWith(library.packages));
	}

	/**
	 * Return what is to be told of what could not be linked, empty if it is of no known
	 * library.
	 */
	public static Optional<InvalidGuardException> explanation(LinkageError error) {
		String missing = String.valueOf(error.getMessage()).replace('/', '.');
		String member = missing.replaceFirst("\\(.*", "");
		return Arrays.stream(values())
			.filter((library) -> member.contains(library.packages))
			.findFirst()
			.map((library) -> library.lacks(missing, error));
	}

	private InvalidGuardException lacks(String missing, LinkageError error) {
		String found = found().map((version) -> ", and this is " + version).orElse(", and it is not on the class path");
		return new InvalidGuardException("bloom-guard runs with %s %s or later%s, which lacks what is called: %s: %s"
			.formatted(this.title, this.oldest, found, error.getClass().getSimpleName(), missing), remedy(), error);
	}

	/**
	 * Say that the library itself lacks something, of another jar.
	 */
	private InvalidGuardException misses(LinkageError error) {
		String found = found().map((version) -> " " + version).orElse("");
		return new InvalidGuardException(
				"%s%s lacks what it calls of another library: %s: %s".formatted(this.title, found,
						error.getClass().getSimpleName(), String.valueOf(error.getMessage()).replace('/', '.')),
				"let the dependencies of %s be those that it names itself: mvn dependency:tree shows which of them is excluded or has another version"
					.formatted(this.artifact),
				error);
	}

	private String remedy() {
		String[] names = this.artifact.split(":");
		return ("write a version that is supported where yours is managed, or let the starter that brings it be of such"
				+ " a one: <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>")
			.formatted(names[0], names[1], this.advised);
	}

	private Optional<Found> found() {
		try {
			Class<?> present = ClassUtils.forName(this.type, Library.class.getClassLoader());
			CodeSource source = present.getProtectionDomain().getCodeSource();
			URL location = (source != null) ? source.getLocation() : null;
			String place = (location != null) ? location.toString() : "an unknown place";
			String version = present.getPackage().getImplementationVersion();
			return Optional.of(new Found((version != null) ? version : inName(place), place));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return Optional.empty();
		}
	}

	private static @Nullable String inName(String place) {
		return IN_NAME.matcher(place)
			.results()
			.reduce((first, last) -> last)
			.map((MatchResult name) -> name.group(1))
			.orElse(null);
	}

	boolean isOlder(@Nullable String version) {
		return version != null && number(version) < number(this.oldest);
	}

	boolean isNewer(@Nullable String version) {
		return this == REDISSON && version != null && NUMBERS.matcher(version).lookingAt()
				&& number(version) > number(NEWEST_REDISSON);
	}

	private static int number(String version) {
		Matcher numbers = NUMBERS.matcher(version);
		return numbers.lookingAt() ? Integer.parseInt(numbers.group(1)) * 1000 + Integer.parseInt(numbers.group(2))
				: Integer.MAX_VALUE;
	}

	private record Found(@Nullable String version, String place) {

		@Override
		public String toString() {
			return ((this.version != null) ? this.version : "one without a version") + " (" + this.place + ")";
		}

	}

}
