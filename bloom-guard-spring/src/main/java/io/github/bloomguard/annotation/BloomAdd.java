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

package io.github.bloomguard.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Adds the key of a new row, or the keys of many, to a filter after the method has
 * returned, and forgets that they were absent: their empty sentinels and the null entries
 * of the filter's {@code caches} are removed. If the method fails and its transaction is
 * committed nevertheless, keys that do not depend on the result are added before that.
 * <p>
 * May be used as a meta-annotation, on interfaces, and more than once. It has an effect
 * on calls that pass the proxy of the bean, which those of its own methods don't.
 *
 * @since 1.0.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(BloomAdd.Container.class)
@Reflective(GuardedMethodProcessor.class)
public @interface BloomAdd {

	/**
	 * Alias for {@link #filter()}.
	 * @return the name of the filter
	 */
	@AliasFor("filter")
	String value() default "";

	/**
	 * The name of the filter, as configured under {@code bloom-guard.filters}.
	 * @return the name of the filter
	 */
	@AliasFor("value")
	String filter() default "";

	/**
	 * A SpEL expression for the key, with the vocabulary of {@code @Cacheable} and
	 * {@code #result}. It is always one key: a list such as <code>{#a, #b}</code>, an
	 * array or a record is one key of several parts. {@code null} is a row without a key
	 * yet, and fails as a key does that Redis does not take; where the result is
	 * {@code null}, a key of it is none. Default: the only parameter.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * A SpEL expression for a {@code Collection} or an array of keys, such as
	 * {@code #result.![id]}, instead of {@link #key()}: each element is a key, of which
	 * none may be {@code null}.
	 * @return the expression
	 */
	String keys() default "";

	/**
	 * A SpEL expression, evaluated after the method; if it is {@code false} nothing is
	 * added. Default: always added.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * Whether the key is added before the method is called, which therefore may use no
	 * {@code #result}: for keys that are known by then, such as UUIDs, where there is no
	 * transaction that keeps the row from being seen before its key is added. If the key
	 * is {@code null} or can't be added, the method is not called; with
	 * {@code add-failure: mistrust} it is. If the method fails, the key stays, as a false
	 * positive. An {@link io.github.bloomguard.AddedKeysListener} is told then, and again
	 * when the method has returned. Guarded caches store no null value of the key for
	 * {@code bloom-guard.cache.null-hold-off}, which is to be longer than the method
	 * takes. Default: {@code false}, after it.
	 * @return whether it is added before
	 */
	boolean before() default false;

	/**
	 * Holds more than one {@link BloomAdd}.
	 */
	@Target({ ElementType.TYPE, ElementType.METHOD })
	@Retention(RetentionPolicy.RUNTIME)
	@Inherited
	@Documented
	@interface Container {

		/**
		 * The annotations.
		 * @return the annotations
		 */
		BloomAdd[] value();

	}

}
