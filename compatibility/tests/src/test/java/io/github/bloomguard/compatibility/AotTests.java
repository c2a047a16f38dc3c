package io.github.bloomguard.compatibility;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application is guarded whose beans were decided on when it was built.
 */
class AotTests {

	private static final String APPLICATION = "io.github.bloomguard.compatibility.catalogue.CatalogueApplication";

	@Test
	void applicationThatWasProcessedAheadOfTimeIsGuarded() {
		Path processed = Path.of("target", "classes").toAbsolutePath();
		try (TestRedis redis = TestRedis.start();
				Program program = Program.start(ClassPath.ofGuardedApplication().startingWith(processed), APPLICATION,
						List.of("-Dspring.aot.enabled=true"),
						Stream.concat(Stream.of(redis.properties()), Stream.of("logging.level.root=info"))
							.toArray(String[]::new))) {
			assertThat(program.await()).as(program::output).isZero();
			assertThat(program.output()).contains("Starting AOT-processed CatalogueApplication",
					"Everything is guarded");
		}
	}

}
