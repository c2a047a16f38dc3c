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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the tutorial: what it shows, and what it says about that.
 */
final class TutorialPage {

	private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern FILE = Pattern.compile("\\A`([^`]+)`");

	private TutorialPage() {
	}

	/**
	 * Return the blocks of a page, in their order.
	 */
	static List<Block> read(Path page) {
		try {
			String text = Files.readString(page);
			List<Block> blocks = new ArrayList<>();
			Matcher block = BLOCK.matcher(text);
			int end = 0;
			for (boolean found = block.find(); found;) {
				String before = text.substring(end, block.start());
				String language = block.group(1);
				String shown = block.group(2);
				end = block.end();
				found = block.find();
				blocks.add(new Block(language, shown, fileNamedIn(before),
						text.substring(end, found ? block.start() : text.length())));
			}
			return blocks;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String fileNamedIn(String text) {
		String paragraph = text.strip().replaceAll("(?s).*\\n\\n", "");
		Matcher file = FILE.matcher(paragraph);
		return file.find() ? file.group(1) : "";
	}

	/**
	 * Something that a page shows.
	 *
	 * @param language the language, empty for what one sees
	 * @param text what is shown
	 * @param file the file that the paragraph before it begins with
	 * @param after what the page says behind it, up to the next block
	 */
	record Block(String language, String text, String file, String after) {

		/**
		 * Return the commands, each with its continued lines and its input.
		 */
		List<String> commands() {
			List<String> commands = new ArrayList<>();
			StringBuilder command = new StringBuilder();
			String inputEnd = null;
			for (String line : this.text.split("\n")) {
				command.append(line);
				if (inputEnd == null && line.contains("<<'")) {
					inputEnd = line.replaceAll(".*<<'(\\w+)'.*", "$1");
				}
				if (line.endsWith("\\") || (inputEnd != null && !line.equals(inputEnd))) {
					command.append('\n');
					continue;
				}
				commands.add(command.toString());
				command.setLength(0);
				inputEnd = null;
			}
			return commands;
		}

	}

}
