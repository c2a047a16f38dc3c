package io.github.bloomguard.autoconfigure;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.guard.FilterSupervisor;

import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Lets the readiness of the application wait for filters. Spring Boot calls an
 * application ready when its runners have returned; the web server and the liveness probe
 * answer before.
 */
@Configuration(proxyBeanMethods = false)
class ReadinessConfiguration {

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	ApplicationRunner bloomGuardReadinessRunner(FilterSupervisor supervisor) {
		return (arguments) -> {
			try {
				supervisor.blocking().join();
			}
			catch (CancellationException | CompletionException ex) {
				// the application is closing
			}
		};
	}

}
