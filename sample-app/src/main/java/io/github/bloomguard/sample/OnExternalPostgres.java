package io.github.bloomguard.sample;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where the products are kept in a PostgreSQL outside.
 */
class OnExternalPostgres implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return ExternalServers.of(context.getEnvironment()).postgres();
	}

}
