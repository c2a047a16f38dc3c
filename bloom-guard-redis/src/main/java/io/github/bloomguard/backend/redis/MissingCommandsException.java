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

package io.github.bloomguard.backend.redis;

import java.util.List;

import io.github.bloomguard.circuit.RedisRefusedException;

/**
 * A server has not all of the commands that a kind of filter needs.
 */
public class MissingCommandsException extends RedisRefusedException {

	private static final long serialVersionUID = 1L;

	public MissingCommandsException(List<String> commands) {
		super("the server has no " + String.join(", ", commands));
	}

}
