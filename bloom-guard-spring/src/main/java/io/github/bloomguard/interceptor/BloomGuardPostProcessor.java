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

package io.github.bloomguard.interceptor;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Refuses annotations on methods that a proxy does not intercept by an
 * {@link InvalidGuardException}, also for one that is made early because of a circular
 * reference. Makes the {@link KeyChangeAdvisor} the innermost one, so that keys are added
 * inside the method's transaction whatever the order of the beans.
 */
public final class BloomGuardPostProcessor implements SmartInstantiationAwareBeanPostProcessor, Ordered {

	/**
	 * Come after the post-processors that make proxies or add advice to them.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		return postProcessAfterInitialization(bean, beanName);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised advised) {
			Advisor[] advisors = advised.getAdvisors();
			for (Advisor advisor : advisors) {
				if (advisor instanceof GuardAdvisor guarding) {
					guarding.check(bean, advised);
				}
				if (advisor instanceof KeyChangeAdvisor && advisor != advisors[advisors.length - 1]
						&& !advised.isFrozen()) {
					advised.removeAdvisor(advisor);
					advised.addAdvisor(advisor);
				}
			}
		}
		return bean;
	}

}
