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

package io.github.bloomguard.autoconfigure;

import java.util.ArrayDeque;
import java.util.Deque;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Closes what adds need after all other beans have been destroyed, which may insert rows
 * until their end. Spring destroys beans in the reverse of the order in which it made
 * them, and makes this one first.
 */
public final class LateClosing implements BeanFactoryPostProcessor, PriorityOrdered, DisposableBean {

	private final Deque<Runnable> closing = new ArrayDeque<>();

	/**
	 * Close something after everything that was given before.
	 * @param close does not throw
	 */
	public synchronized void add(Runnable close) {
		this.closing.push(close);
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
	}

	@Override
	public synchronized void destroy() {
		this.closing.forEach(Runnable::run);
		this.closing.clear();
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
