package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.BloomGuard;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a {@link BloomGuard} that lets everything pass, for beans that
 * need one where the guard is disabled.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", havingValue = false)
public final class DisabledBloomGuardAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	BloomGuard bloomGuard() {
		return new DisabledBloomGuard();
	}

}
