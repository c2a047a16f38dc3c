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

package io.github.bloomguard.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.bloomguard.BloomGuard;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Configures the guard for a test, with all filters in memory and no Redis. They are
 * complete when the context has been started, are believed at once, and know no keys but
 * those that are given to {@link BloomGuard#add}.
 * <p>
 * The filters are those that are configured, and what the properties of the test itself
 * say of them holds. All tests that share a context share its filters, and a key that was
 * added stays: let each test use keys of its own.
 *
 * @since 1.0.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureBloomGuard {

	/**
	 * Whether the filters are loaded as they are in the application: by their queries,
	 * from the database of the test, and from {@code KeySource} beans.
	 * @return whether they are
	 */
	boolean warmUp() default false;

}
