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
 * What annotations ask for, found and refused before the first call.
 * <p>
 * A {@code Declaration} is one of the {@code GuardAnnotations} on an
 * {@code AnnotatedMethod}; {@code EntityFilter} names the filter of one that asks for
 * that of an entity. {@code GuardOperationParser} makes an immutable
 * {@code GuardOperation} of it, and {@code GuardExpressionParser} a
 * {@code GuardExpression}, once {@code ExpressionTypes} has found that it can work.
 * {@code AskedKeys} and {@code CacheKey} compare its key with those of sources and
 * caches. {@code ReturnTypes} says what the type means that the method returns. All of it
 * is found by {@code GuardDeclarations}.
 */
@NullMarked
package io.github.bloomguard.declaration;

import org.jspecify.annotations.NullMarked;
