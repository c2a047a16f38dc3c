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

package io.github.bloomguard.sample;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Says in the log what to try.
 */
@Component
class Greeting {

	private static final Log logger = LogFactory.getLog(Greeting.class);

	private final Environment environment;

	Greeting(Environment environment) {
		this.environment = environment;
	}

	@EventListener(ApplicationReadyEvent.class)
	void onReady() {
		logger.info("""
				The catalogue is open. Attack it at http://localhost:{port}/, or try:

				  curl -i http://localhost:{port}/products/42         # it exists: served by the database ...
				  curl -i http://localhost:{port}/products/42         # ... and then by the cache
				  curl -i http://localhost:{port}/products/999999999  # it doesn't: 404, served by the filter
				  curl -i 'http://localhost:{port}/products?ids=1,2,999999999'
				  curl -i http://localhost:{port}/products -H 'Content-Type: application/json' \\
				       -d '{"name": "Umbrella", "price": 19.90}'      # its id is found from now on
				  curl -s http://localhost:{port}/stats               # what has reached the database
				  curl -s http://localhost:{port}/actuator/bloomguard # what the filter knows and has done
				""".replace("{port}", this.environment.getProperty("local.server.port", "8080")));
	}

}
