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

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Sends signals to processes.
 */
public final class Signals {

	private Signals() {
	}

	/**
	 * Send a signal.
	 * @param name the name of the signal, such as {@code "STOP"}
	 * @param process the process that gets it
	 */
	public static void send(String name, Process process) {
		try {
			// the shell's own: a small system has no program called kill
			int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
			if (exit != 0) {
				throw new IllegalStateException("kill -" + name + " failed with " + exit);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
