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

package io.github.bloomguard.entity;

import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Shows each bean of a type to a listener, which returns what takes its place.
 */
public record ListeningPostProcessor<T>(Class<T> type, UnaryOperator<T> listener) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return this.type.isInstance(bean) ? this.listener.apply(this.type.cast(bean)) : bean;
	}

}
