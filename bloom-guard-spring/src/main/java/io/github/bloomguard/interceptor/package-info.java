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
 * Puts annotated methods behind a filter.
 * <p>
 * <b>The problem.</b> A method answers with a value, a future, a publisher or from a
 * coroutine, finds nothing in as many ways, is inherited, generic, proxied or called by
 * its own bean; and an annotation that can't work must be refused before the first call.
 * <p>
 * <b>The structure.</b> Three rooms, each of which knows those before it.
 * {@code declaration} is what annotations ask for, {@code result} what methods give, and
 * this package what stands around them: {@code MethodAdviceSource} keeps it for each
 * method, with the filters that {@code FilterResolver} gives. Two advisors hand a call to
 * what {@code SynchronousCalls}, {@code FutureCalls} or {@code ReactiveCalls} have put
 * around its method; a {@code GuardedInvocation} has to pass each {@code KeyCheck} and
 * {@code KeysCheck}, and a {@code KeyChange} adds or removes keys. {@code AnnotatedBeans}
 * refuses beans whose {@code ProxiedBean} does not intercept them.
 * <p>
 * <b>What must hold.</b> For a definite miss the method is not called, and the caller
 * gets the empty value of its type. The guard is asked before Spring's cache, and keys
 * are added innermost, inside the transaction. What is parsed is kept; a call parses
 * nothing.
 * <p>
 * <b>What may be touched.</b> Another kind of result is a {@code MethodCalls} and a line
 * where the others are chosen. Which advisor comes first is held by tests with caching,
 * transactions and repositories.
 */
@NullMarked
package io.github.bloomguard.interceptor;

import org.jspecify.annotations.NullMarked;
