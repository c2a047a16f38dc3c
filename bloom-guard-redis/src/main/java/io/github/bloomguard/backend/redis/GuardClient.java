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

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.library.Library;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

/**
 * The client that the guard uses, and whether it is its own. The guard shares the
 * application's client only if it knows what that does with a name and how often it sends
 * a command: a {@code NameMapper} may give another name on each thread, so keys that are
 * added under one name would be looked for under another. A client of the guard's own has
 * the same configuration, but no mapper and no retries.
 *
 * @param config how it is connected
 * @param servers that of the servers
 * @param redisson the client; {@code null} for one that can't be made without a
 * connection, and so is made when it is needed
 * @param owned whether it is the guard's own
 */
record GuardClient(Config config, BaseConfig<?> servers, @Nullable Redisson redisson, boolean owned) {

	private static final Log logger = LogFactory.getLog(GuardClient.class);

	/**
	 * Use the application's client, or one of the guard's own beside it.
	 */
	static GuardClient sharing(RedissonClient client) {
		Library.REDISSON.require();
		if (!(client instanceof Redisson redisson)) {
			return beside(client, "is a " + client.getClass().getName() + " and not Redisson's own");
		}
		GuardClient shared = new GuardClient(redisson.getConfig(), RedissonLine.servers(redisson), redisson, false);
		String mapper = shared.nameMapper();
		if (mapper != null) {
			return beside(client, "maps names, by " + mapper);
		}
		return RedissonLine.RESENDS
				? beside(client, "is of a version of Redisson that may send again what shall be sent once") : shared;
	}

	private @Nullable String nameMapper() {
		return RedissonLine.nameMapper(this.config, this.servers);
	}

	/**
	 * Use a client of the guard's own.
	 */
	static GuardClient own(Config config) {
		Library.REDISSON.require();
		OwnConfig own = OwnConfig.of(config);
		String mapper = RedissonLine.nameMapper(own, own.servers());
		if (mapper != null) {
			throw new InvalidGuardException("A RedissonConfigCustomizer has set the NameMapper " + mapper,
					"Don't set a NameMapper: instances whose mappers disagree would not find each other's keys. Set"
							+ " bloom-guard.key-prefix to what the names of the guard's keys shall begin with");
		}
		return new GuardClient(own, own.servers(), RedissonLine.unconnected(own), true);
	}

	/**
	 * Use a client of the guard's own that is connected as another one is.
	 */
	static GuardClient like(RedissonClient client) {
		Library.REDISSON.require();
		return own(OwnConfig.like(client.getConfig()));
	}

	private static GuardClient beside(RedissonClient client, String why) {
		GuardClient own = like(client);
		logger.info("The RedissonClient bean " + why + ". So the guard connects a client of its own, with the same"
				+ " configuration, whose keys have the names that bloom-guard.key-prefix gives them");
		return own;
	}

}
