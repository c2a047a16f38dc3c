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
 * Puts a method (or all methods of a class) behind a filter: a call for a key that
 * certainly does not exist is answered with the empty value of the return type, or with
 * the exception that the method throws for nothing, and the method is not called. A
 * method that finds nothing for a row that is there, such as {@code findActive(id)} for
 * an inactive one, is remembered to do so for {@link #emptyTtl()}, also after an update
 * of the row, unless the filter is that of an entity.
 * <p>
 * The empty value is {@code null}, {@code Optional.empty()}, an empty collection, page,
 * map, array or stream, a completed {@code CompletableFuture}, {@code Mono.empty()} or
 * {@code Flux.empty()}, {@code false}, or {@code 0} if the name of the method begins with
 * {@code count}, {@code selectCount}, {@code numberOf}, {@code delete} or {@code remove};
 * that of a Kotlin {@code suspend} function is the one of what it returns. A method whose
 * result can't be {@code null}, in Kotlin or by JSpecify, has none: that of a Spring Data
 * repository throws an {@code EmptyResultDataAccessException}, and another one names an
 * exception as {@link #missing()}, or is called until calls for several keys that no row
 * has were seen to throw that, a {@code NoSuchElementException} or JPA's
 * {@code EntityNotFoundException}. A method that returns {@code void} can't be guarded,
 * and one that returns a {@code char}, another number, a {@code boolean} for what is not
 * there, such as {@code isNameFree}, or a {@code ResponseEntity} only with
 * {@link #missing()}: the application does not start.
 * <p>
 * The guard stands outside {@code @Cacheable}, with which it may be combined. Without it,
 * a key that passed the filter and was not found is remembered by an empty sentinel of
 * the method for {@link #emptyTtl()}.
 * <p>
 * A few answered calls a second are verified ({@code verification.rate}). Where no source
 * of keys can look up one key, the method is called for that, later and on another
 * thread, without what is bound to the caller's; it goes through all that stands inside
 * the guard. If answers are verified before they are given, such a call goes through as
 * if there were no guard.
 * <p>
 * May be used as a meta-annotation, on interfaces, and more than once; then a call goes
 * through only if each filter lets it pass. It has an effect on calls that pass the proxy
 * of the bean, which those of its own methods don't.
 *
 * @since 1.0.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(BloomGuarded.Container.class)
@Reflective(GuardedMethodProcessor.class)
public @interface BloomGuarded {

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
	 * Whether it is the filter whose {@code entity} stands for a type variable of the
	 * class, instead of {@link #filter()}: a generic base class or interface is annotated
	 * once, and each class below it is guarded by the filter of its own entity, or not at
	 * all if no filter has it. One with an {@code attribute} is none, as it has other
	 * keys than the ids.
	 * <p>
	 * The entity is the type argument that the method returns, or else the only one that
	 * it could be. The application does not start if that can't be told, or if several
	 * filters have the entity: annotate the method of the class below then.
	 * @return whether the filter is that of the entity
	 */
	boolean byEntity() default false;

	/**
	 * A SpEL expression for the key, with the vocabulary of {@code @Cacheable}: the
	 * parameters by name, {@code #p0} or {@code #a0}; {@code #root.method},
	 * {@code #root.methodName}, {@code #root.target}, {@code #root.targetClass} and
	 * {@code #root.args}. Default: the only parameter. A {@code null} key lets the call
	 * through.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * The parameter, a {@code Collection} or an array, that holds many keys, such as
	 * {@code "#ids"}. The method is called with the keys that may exist only, and not
	 * called if there are none. Not to be combined with {@link #key()}.
	 * @return the parameter
	 */
	String keys() default "";

	/**
	 * A SpEL expression; if it is {@code false} the filter is not asked. Default: always
	 * asked.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * How long a key that passed the filter and was not found is remembered, such as
	 * {@code 30s} or {@code PT30S}; {@code 0s} for not at all. Placeholders are resolved.
	 * <p>
	 * Default: {@code empty-ttl} of the filter, if finding nothing can only mean that the
	 * key is not there: the method's only argument is the key, and it returns one thing
	 * rather than a collection. Otherwise nothing is remembered, unless this says so. Has
	 * no effect on a method that is guarded more than once, nor on a {@code @Cacheable}
	 * one that throws nothing for nothing: there the cache remembers, but no exceptions.
	 * @return the time to live
	 */
	String emptyTtl() default "";

	/**
	 * The exception that is thrown instead of returning the empty value; a future or a
	 * publisher fails with it. It is made by its constructor with a message, which names
	 * the filter and not the key, or else by the one without parameters.
	 * <p>
	 * When the method itself throws it, that is counted and remembered as finding
	 * nothing, so it should be thrown for nothing else. Default: what Java, Spring or JPA
	 * have for that, if several calls for keys that no row has have thrown it.
	 * @return the type of the exception
	 */
	Class<? extends RuntimeException> missing() default NoException.class;

	/**
	 * Stands for no exception.
	 */
	final class NoException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private NoException() {
		}

	}

	/**
	 * Holds more than one {@link BloomGuarded}.
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
		BloomGuarded[] value();

	}

}
