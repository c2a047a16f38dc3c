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

package io.github.bloomguard.compatibility.listing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The program.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching
public class ListingApplication {

	/**
	 * Start the application, list what it is made of, and end it.
	 * @param args properties as {@code --name=value}; {@code --listing} names the file
	 * @throws IOException if it can't be written
	 */
	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext context = SpringApplication.run(ListingApplication.class, args)) {
			Files.write(Path.of(context.getEnvironment().getRequiredProperty("listing")), new Listing(context).lines());
		}
	}

}
