package io.github.bloomguard.sample;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/**
 * Which servers the profile {@code external} expects outside of this process: those that
 * the ordinary properties name, and both if they name neither.
 *
 * @param redis whether Redis is outside
 * @param postgres whether the database is a PostgreSQL outside
 */
record ExternalServers(boolean redis, boolean postgres) {

	static ExternalServers of(Environment environment) {
		if (!environment.acceptsProfiles(Profiles.of("external"))) {
			return new ExternalServers(false, false);
		}
		boolean redis = names(environment, "spring.data.redis");
		boolean postgres = names(environment, "spring.datasource");
		return new ExternalServers(redis || !postgres, postgres || !redis);
	}

	private static boolean names(Environment environment, String properties) {
		return Binder.get(environment).bind(properties, Bindable.mapOf(String.class, Object.class)).isBound();
	}

}
