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
 * Puts annotated methods behind a filter, which takes four things.
 * <p>
 * <em>Annotation metadata</em>: {@code GuardOperationSource} keeps for each method what
 * {@code GuardOperationParser} has made of its {@code GuardAnnotations}, immutable
 * {@code GuardOperation}s and {@code KeyOperation}s with the filters that
 * {@code FilterResolver} gives them; a {@code Declaration} is an annotation on an
 * {@code AnnotatedMethod} as messages name it. <em>Expressions</em>:
 * {@code GuardExpressionParser} makes a {@code GuardExpression} once
 * {@code ExpressionTypes} has found that it can work.
 * <p>
 * <em>Execution</em>: the thin interceptors in the two advisors hand a call to
 * {@code SynchronousCalls}, {@code FutureCalls}, {@code ReactiveCalls} or an
 * {@code ChangingMethod}; a {@code GuardedInvocation} has to pass each {@code KeyCheck}
 * and {@code KeysCheck}. <em>Shapes of results</em>: {@code EmptyValue} is what a call is
 * answered with, {@code EmptyContainers} makes collections, {@code ResultTypes} says what
 * a return type means and {@code ResultContent} whether something was found.
 */
@NullMarked
package io.github.bloomguard.interceptor;

import org.jspecify.annotations.NullMarked;
