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

package io.github.bloomguard.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StreamUtils;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The page of the endpoint, whose content security policy allows its own script only.
 */
final class FilterPage {

	private static final Resource SOURCE = new ClassPathResource("page.html", FilterPage.class);

	private final String html;

	FilterPage(boolean readOnly) {
		String source = read();
		this.html = source.replace("{script}", hash(source, "script"))
			.replace("{style}", hash(source, "style"))
			.replace("{read-only}", Boolean.toString(readOnly));
	}

	String html() {
		return this.html;
	}

	/**
	 * Read the file with the line ends that a browser hashes.
	 */
	private static String read() {
		try (InputStream in = SOURCE.getInputStream()) {
			return StreamUtils.copyToString(in, UTF_8).replace("\r\n", "\n");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String hash(String html, String element) {
		int begin = html.indexOf("<" + element + ">") + element.length() + 2;
		String content = html.substring(begin, html.indexOf("</" + element + ">"));
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
			return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerResource(SOURCE);
		}

	}

}
