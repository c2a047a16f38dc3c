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

package io.github.bloomguard.guard;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.warmup.WarmUpBulkhead;

/**
 * What all filters of an application have in common.
 *
 * @param application its name, the same in all instances
 * @param rewritten whether each start of the application writes rows whose keys are not
 * added
 * @param bulkhead leaves connections to the application while keys are loaded
 * @param executor has a thread at any time, which may be blocked
 */
public record GuardEnvironment(String application, boolean rewritten, KeyFormat format, FilterGuardFactory guards,
		WarmUpBulkhead bulkhead, ListenerChain listeners, ScheduledExecutorService scheduler, Executor executor,
		MonotonicClock clock) {

}
