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
 * <b>The structure.</b> Four things. <em>Annotation metadata</em>:
 * {@code GuardOperationSource} keeps for each method what {@code GuardOperationParser}
 * has made of its {@code GuardAnnotations}, immutable {@code GuardOperation}s and
 * {@code KeyOperation}s with the filters that {@code FilterResolver} gives them; a
 * {@code Declaration} is an annotation on an {@code AnnotatedMethod} as messages name it.
 * <em>Expressions</em>: {@code GuardExpressionParser} makes a {@code GuardExpression}
 * once {@code ExpressionTypes} has found that it can work. <em>Execution</em>: the thin
 * interceptors in the two advisors hand a call to {@code SynchronousCalls},
 * {@code FutureCalls}, {@code ReactiveCalls} or a {@code ChangingMethod}; a
 * {@code GuardedInvocation} has to pass each {@code KeyCheck} and {@code KeysCheck}.
 * <em>Shapes of results</em>: {@code EmptyValue} is what a call is answered with,
 * {@code EmptyContainers} makes collections, {@code ResultTypes} says what a return type
 * means and {@code ResultContent} whether something was found.
 * <p>
 * <b>What must hold.</b> For a definite miss the method is not called, and the caller
 * gets the empty value of its type. The guard is asked before Spring's cache, and keys
 * are added innermost, inside the transaction. What is parsed is kept; a call parses
 * nothing. One place decides what "not found" is.
 * <p>
 * <b>What may be touched.</b> Another kind of result is a {@code MethodCalls} and a line
 * where the others are chosen. Which advisor comes first is held by tests with caching,
 * transactions and repositories.
 */
@NullMarked
package io.github.bloomguard.interceptor;

import org.jspecify.annotations.NullMarked;
