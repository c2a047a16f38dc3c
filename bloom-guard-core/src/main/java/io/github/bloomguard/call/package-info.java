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
 * What the rest of the guard sees of a filter. Internal: applications use the root
 * package.
 * <p>
 * <b>A call that reads</b> sees a {@code GuardedFilter}: it asks for a {@code Decision},
 * takes a {@code LoadPermit} if it goes through, and reports what it has found.
 * {@code GuardedCall} has the order of these steps for the filters of one call. <b>What
 * writes rows</b> sees a {@code WrittenFilter}. The keys of a transaction are
 * {@code TransactionalKeys}, which listeners of libraries fill through
 * {@code CollectedKeys}. {@code ThreadTransaction} is all that the guard asks of Spring's
 * transactions.
 * <p>
 * <b>What may be touched.</b> An implementation of each interface is in {@code guard}, a
 * recording one in the tests of {@code bloom-guard-spring}, and a stub in the benchmarks.
 * Nothing here may wait for a server but where its Javadoc says so.
 */
@NullMarked
package io.github.bloomguard.call;

import org.jspecify.annotations.NullMarked;
