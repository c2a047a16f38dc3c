package io.github.bloomguard.autoconfigure;

import java.util.concurrent.Executor;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.interceptor.KeyChangeAdvisor;
import io.github.bloomguard.interceptor.BloomGuardPostProcessor;
import io.github.bloomguard.interceptor.BloomGuardedAdvisor;
import io.github.bloomguard.interceptor.GuardOperationSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The advisors for the annotations. They are made before other beans, so all that they
 * need is asked for when the first guarded method is called.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(ProxyCreatorRegistrar.class)
class InterceptorConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static GuardOperationSource bloomGuardOperationSource(ConfigurableBeanFactory beanFactory, Environment environment,
			ObjectProvider<GuardedFilters> filters, ObjectProvider<CacheOperationSource> cacheOperations) {
		return new GuardOperationSource(beanFactory, SingletonSupplier.of(filters::getObject),
				() -> BloomGuardProperties.filterNames(environment), cacheOperations::getIfAvailable);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static BloomGuardedAdvisor bloomGuardedAdvisor(GuardOperationSource source) {
		return new BloomGuardedAdvisor(source);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static KeyChangeAdvisor bloomAddAdvisor(GuardOperationSource source,
			@Qualifier("bloomGuardExecutor") ObjectProvider<Executor> executor) {
		return new KeyChangeAdvisor(source, (command) -> executor.getObject().execute(command));
	}

	@Bean
	static CacheNamesCheck bloomGuardCacheNamesCheck(GuardOperationSource source,
			ObjectProvider<BloomGuardProperties> properties) {
		return new CacheNamesCheck(source, properties);
	}

	@Bean
	static BloomGuardPostProcessor bloomGuardPostProcessor() {
		return new BloomGuardPostProcessor();
	}

}
