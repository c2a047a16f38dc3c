package io.github.bloomguard.interceptor;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Makes the {@link BloomAddAdvisor} the innermost one of each proxy, so that keys are
 * added inside the method's transaction whatever the order in which beans were
 * registered.
 * <p>
 * It has no effect on a proxy that was made early because of a circular reference. There
 * the transaction advisor has to be registered first.
 *
 * @since 0.1.0
 */
public final class BloomAddPostProcessor implements BeanPostProcessor, Ordered {

	/**
	 * Create a post-processor.
	 */
	public BloomAddPostProcessor() {
	}

	/**
	 * Come after the post-processors that make proxies or add advice to them.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised advised && !advised.isFrozen()) {
			Advisor[] advisors = advised.getAdvisors();
			for (int i = 0; i < advisors.length - 1; i++) {
				if (advisors[i] instanceof BloomAddAdvisor) {
					advised.removeAdvisor(i);
					advised.addAdvisor(advisors[i]);
					break;
				}
			}
		}
		return bean;
	}

}
