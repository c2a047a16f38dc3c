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
 * Removes the key of a deleted row, or the keys of many, from a filter after the commit
 * of the transaction in which the method has returned. From then on, mirrors call them
 * absent, and they count towards a rebuild.
 * <p>
 * No row is ever hidden by this: a source that can look up a key is asked whether the row
 * is gone, where one can't, the caller is believed; a key that is added at the same time
 * or afterwards, or was shortly before, is not removed, and neither is any while Redis
 * can't be reached, or if the method and its transaction take longer than ten seconds. It
 * stays a false positive until the next rebuild.
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
@Repeatable(BloomRemove.Container.class)
@Reflective(GuardedMethodProcessor.class)
public @interface BloomRemove {

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
	 * array or a record is one key of several parts. {@code null} removes nothing.
	 * Default: the only parameter.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * A SpEL expression for a {@code Collection} or an array of keys, such as
	 * {@code #result.![id]}, instead of {@link #key()}: each element is a key, and
	 * {@code null} is none.
	 * @return the expression
	 */
	String keys() default "";

	/**
	 * A SpEL expression, evaluated after the method; if it is {@code false} nothing is
	 * removed. Default: always removed.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * Holds more than one {@link BloomRemove}.
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
		BloomRemove[] value();

	}

}
