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

package io.github.bloomguard.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongFunction;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import io.github.bloomguard.testsupport.GuardApplication;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * An instance in a process of its own, which can be frozen and killed. It is asked line
 * by line for ids, and says of each what the guard says, and how many it has looked up in
 * its mirror.
 */
final class InstanceMain {

	/** Tells an answer from what the log says before it is configured. */
	static final String ANSWER = "answer ";

	private InstanceMain() {
	}

	/**
	 * Answer until there are no more questions.
	 * @param args the port of Redis, the URL of the database, and the version of the
	 * source
	 * @throws IOException if that is not possible any more
	 */
	public static void main(String[] args) throws IOException {
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(args[1]));
		GuardApplication application = GuardApplication.start(List.of(new Rows(jdbc, args[2], () -> {
		})), Instance.properties(Integer.parseInt(args[0]), Instance.KEYS, true).toArray(String[]::new));
		answer(application, Shapes::asked);
	}

	static void answer(GuardApplication application, LongFunction<Object> keys) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			System.out.println(
					ANSWER + application.bean(BloomGuard.class).membership("products", keys.apply(Long.parseLong(line)))
							+ " " + application.products().statistics().lookups(Source.MIRROR));
		}
		application.close();
	}

}
