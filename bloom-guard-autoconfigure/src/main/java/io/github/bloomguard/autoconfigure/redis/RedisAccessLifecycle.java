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

package io.github.bloomguard.autoconfigure.redis;

import io.github.bloomguard.backend.redis.RedisAccess;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the guard's connections while the application is stopped, as before a checkpoint
 * of its process (CRaC), as the last ones. While the application is being closed they
 * stay: tasks that it waits for may add keys.
 */
final class RedisAccessLifecycle implements SmartLifecycle {

	private final ConfigurableApplicationContext context;

	private final String name;

	private volatile boolean running;

	private volatile boolean disconnected;

	RedisAccessLifecycle(ConfigurableApplicationContext context, String name) {
		this.context = context;
		this.name = name;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.disconnected) {
			this.disconnected = false;
			access().reconnect();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		if (!this.context.isClosed() && this.context.getBeanFactory().containsSingleton(this.name)) {
			access().disconnect();
			this.disconnected = true;
		}
	}

	private RedisAccess access() {
		return this.context.getBean(this.name, RedisAccess.class);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return 0;
	}

}
