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

package io.github.bloomguard.compatibility;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application with Actuator is guarded, too, and that the endpoint, the
 * health and the meters are there, over HTTP.
 */
class ActuatorTests extends GuardedApplicationTests {

	@Test
	void endpointShowsTheFilter() {
		assertThat(web().get("/actuator/bloomguard").body()).contains("\"products\"", "\"state\":\"READY\"");
		assertThat(web().get("/actuator/bloomguard/products").body()).contains("\"expectedInsertions\":10000");
		assertThat(web().get("/actuator/bloomguard/nothing").statusCode()).isEqualTo(404);
	}

	@Test
	void endpointShowsAPageToBrowsers() {
		assertThat(web().get("/actuator/bloomguard", "text/html,application/xml;q=0.9,*/*;q=0.8").body())
			.startsWith("<!doctype html>");
		assertThat(web().get("/actuator/bloomguard", "*/*").body()).startsWith("{");
		assertThat(web().get("/actuator/bloomguard", "application/json").body()).startsWith("{");
	}

	@Test
	void endpointTellsWhatWouldHappenToAKey() {
		assertThat(web().post("/actuator/bloomguard/products/key", "{\"key\": \"1\"}").body())
			.startsWith("{\"membership\":\"MAYBE\",\"uncertain\":false,\"answered\":false,");
	}

	@Test
	void endpointRebuildsTheFilter() {
		String before = generation();
		assertThat(web().post("/actuator/bloomguard/products").statusCode()).isBetween(200, 299);
		Awaitility.await().until(() -> !generation().equals(before));
	}

	private static String generation() {
		return web().get("/actuator/bloomguard/products").body().replaceAll(".*\"generation\":\"?([^\",]*).*", "$1");
	}

	@Test
	void healthShowsTheFilter() {
		assertThat(web().get("/actuator/health/bloomGuard").body()).contains("\"status\":\"UP\"",
				"\"products\":\"READY\"");
	}

	@Test
	void metersCountWhatIsAsked() {
		web().get("/products/42");
		assertThat(web().get("/actuator/metrics/bloom.guard.requests?tag=outcome:maybe&tag=filter:products").body())
			.contains("\"COUNT\"")
			.doesNotContain("\"value\":0.0");
		assertThat(web().get("/actuator/metrics/bloom.guard.ready").body()).contains("\"value\":1.0");
	}

}
