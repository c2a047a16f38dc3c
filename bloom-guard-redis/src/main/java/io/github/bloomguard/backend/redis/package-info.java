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

/**
 * Filters in Redis, with {@code BITFIELD} in strings that a {@code RBloomFilter} can
 * read; below it, those that the server itself has.
 * <p>
 * <b>The problem.</b> Redis loses keys while it seems well: it evicts, is flushed,
 * restarts empty, fails over to a replica that lacks the last writes, moves slots. And it
 * is one thread that all callers share.
 * <p>
 * <b>The structure.</b> {@code RedisBackend} gives three stores. {@code RedisFilterStore}
 * keeps bits: a {@code RedisStoredFilter} of one or more {@code BitString}s whose
 * {@code LookupQueue} sends many lookups in one command; {@code RedisFilterLoad} writes
 * the bits of a load. {@code RedisControlStore} keeps the record, the journal and the
 * lease: a step of a builder is read, decided by {@code RecordState} and swapped; append,
 * refresh and remove are scripts of their own ({@code ControlScripts}, in
 * {@code src/main/resources}). {@code RedisEmptySentinels} and
 * {@code RedisCheckpointStore} keep the rest. {@code RedisAccess} is the way to the
 * server, {@code RedisMirrorChannels} those between instances.
 * <p>
 * <b>What must hold.</b> A word past the bits ({@code SealWord}) is read by the command
 * that reads bits. Each script is atomic, may be sent twice, and runs on the primary. All
 * keys of a filter but its shards share a hash tag. A fail-over or a restart is noticed
 * by the server's identity, and what may be lost by it is not believed.
 * <p>
 * <b>What may be touched.</b> Only {@code PrimaryCommands} and {@code ElementHash} know
 * Redisson's insides, only {@code RedissonLine} and {@code OwnConfig} what differs
 * between its versions, only {@code GuardClient} whether the application's client is
 * shared, and only {@code BloomLayout} where bits are. After a change of a script, run
 * the contract tests of stores, which memory passes, too, and the tests of fail-overs.
 */
@NullMarked
package io.github.bloomguard.backend.redis;

import org.jspecify.annotations.NullMarked;
