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
 * What Spring Boot 3.5 and its libraries have elsewhere, or call otherwise.
 * <p>
 * <b>The problem.</b> Most applications run Spring Boot 3.5, and one source is to serve
 * both lines.
 * <p>
 * <b>The structure.</b> Auto-configurations in the packages of Spring Boot 3, and one
 * small type for each library that changed: {@code Hibernate6}, {@code SpringDataRedis3},
 * {@code SpringDataJdbc3}, {@code Spring6}. Each is a service of an interface that has
 * its default for Spring Boot 4 in the module that needs it.
 * <p>
 * <b>What must hold.</b> No rule of the guard is here, only names. At most fifteen types.
 * The guard's other modules run unchanged on both lines, which the applications in
 * {@code compatibility} show.
 * <p>
 * <b>What may be touched.</b> Whatever a new minor version of these libraries needs; and
 * all of it can go with the support of that line.
 */
@NullMarked
package io.github.bloomguard.boot3;

import org.jspecify.annotations.NullMarked;
