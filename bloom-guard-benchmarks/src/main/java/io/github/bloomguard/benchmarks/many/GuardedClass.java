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

package io.github.bloomguard.benchmarks.many;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.tools.ToolProvider;

/**
 * A class with many guarded methods: the method {@code find7} is guarded by the filter
 * {@code f7}, and so on.
 */
public final class GuardedClass {

	/**
	 * The name of the class.
	 */
	public static final String NAME = "Guarded";

	private GuardedClass() {
	}

	/**
	 * Compile the class.
	 * @param methods how many methods it has
	 * @param filters how many filters there are
	 * @return the directory with the class
	 * @throws IOException if it can't be written
	 */
	public static Path compile(int methods, int filters) throws IOException {
		Path directory = Files.createTempDirectory("bloom-guard-many");
		StringBuilder source = new StringBuilder("public class " + NAME + " {\n");
		for (int i = 0; i < methods; i++) {
			source.append("@io.github.bloomguard.annotation.BloomGuarded(\"f")
				.append(i % filters)
				.append("\") public String find")
				.append(i)
				.append("(long id) { return \"\"; }\n");
		}
		Path file = Files.writeString(directory.resolve(NAME + ".java"), source.append("}\n"));
		int failed = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-proc:none", "-parameters", "-cp", System.getProperty("java.class.path"), "-d",
					directory.toString(), file.toString());
		if (failed != 0) {
			throw new IllegalStateException("The class with the guarded methods does not compile");
		}
		return directory;
	}

}
