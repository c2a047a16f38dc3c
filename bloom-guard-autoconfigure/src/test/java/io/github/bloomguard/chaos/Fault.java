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

package io.github.bloomguard.chaos;

/**
 * What is done to the system.
 */
enum Fault {

	FLUSHED, CONTROL_RECORD_DELETED, JOURNAL_DELETED, ADDED_KEYS_DELETED, LEASE_DELETED, BITS_DELETED, BITS_EMPTIED,
	CONFIG_DELETED, SENTINELS_DELETED, ANY_KEY_DELETED, WRONG_TYPE, KEYS_EVICTED, REDIS_FROZEN, REDIS_RESTARTED_EMPTY,
	FAILOVER_TO_LAGGING_REPLICA, FAILOVER_DURING_A_BUILD, CLIENTS_KILLED, CONNECTIONS_CUT, BUILDER_CLOSED,
	BUILDER_KILLED, CAPACITY_CHANGED, INSTANCE_FROZEN, INSTANCE_KILLED, MESSAGES_LOST, MESSAGES_DELAYED, CLOCK_SET

}
