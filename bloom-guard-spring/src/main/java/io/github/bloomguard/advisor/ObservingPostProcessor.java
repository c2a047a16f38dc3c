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

package io.github.bloomguard.advisor;

import java.util.Arrays;

import io.github.bloomguard.interceptor.BloomGuardedAdvisor;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.core.Ordered;

/**
 * Lets the loads of cached and guarded beans be counted, inside their caches and filters.
 * It makes no proxy: it adds to those that there are.
 */
public final class ObservingPostProcessor implements SmartInstantiationAwareBeanPostProcessor, Ordered {

	private final ObservingAdvisor advisor;

	public ObservingPostProcessor(LoadObserver observer) {
		this.advisor = new ObservingAdvisor(observer);
	}

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
		if (bean instanceof Advised advised && !advised.isFrozen()
				&& Arrays.stream(advised.getAdvisors()).anyMatch(ObservingPostProcessor::isCacheOrFilter)
				&& advised.indexOf(this.advisor) < 0) {
			advised.addAdvisor(this.advisor);
		}
		return bean;
	}

	private static boolean isCacheOrFilter(Advisor advisor) {
		return advisor instanceof BeanFactoryCacheOperationSourceAdvisor || advisor instanceof BloomGuardedAdvisor;
	}

}
