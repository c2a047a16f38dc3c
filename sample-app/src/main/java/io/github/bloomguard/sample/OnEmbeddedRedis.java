package io.github.bloomguard.sample;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where the sample starts a Redis of its own.
 */
class OnEmbeddedRedis implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return !ExternalServers.of(context.getEnvironment()).redis();
	}

}
