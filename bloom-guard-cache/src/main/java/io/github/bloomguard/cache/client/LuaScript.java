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

package io.github.bloomguard.cache.client;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * A script that Redis is asked for by its digest, which is shorter than its source.
 */
public record LuaScript(byte[] source, String sha1) {

	public static LuaScript of(String lua) {
		byte[] source = lua.getBytes(StandardCharsets.UTF_8);
		try {
			return new LuaScript(source, HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public <T> @Nullable T run(RedisScriptingCommands commands, ReturnType type, int keys, byte[]... keysAndArguments) {
		try {
			return commands.evalSha(this.sha1, type, keys, keysAndArguments);
		}
		catch (RuntimeException ex) {
			if (!isUnknown(ex)) {
				throw ex;
			}
			return commands.eval(this.source, type, keys, keysAndArguments);
		}
	}

	static boolean isUnknown(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (String.valueOf(cause.getMessage()).contains("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

}
