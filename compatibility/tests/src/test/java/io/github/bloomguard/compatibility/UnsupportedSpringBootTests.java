package io.github.bloomguard.compatibility;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application on a Spring Boot that is too old is told so.
 */
class UnsupportedSpringBootTests {

	@Test
	void applicationIsStoppedWithAnAnalysis() {
		try (Program program = Program.start(ClassPath.ofGuardedApplication(),
				"io.github.bloomguard.compatibility.listing.ListingApplication", List.of(), "server.port=0",
				"listing=nothing")) {
			assertThat(program.await()).isEqualTo(1);
			assertThat(program.output())
				.contains("APPLICATION FAILED TO START",
						"bloom-guard needs Spring Boot 4.0 or later, and this is " + SpringBootVersion.getVersion(),
						"Update Spring Boot, or remove bloom-guard-starter")
				.doesNotContain("NoClassDefFoundError", "NoSuchMethodError", "ClassNotFoundException");
		}
	}

	@Test
	void applicationStartsWithoutTheGuard() {
		try (Program program = Program.start(ClassPath.ofApplication(),
				"io.github.bloomguard.compatibility.listing.ListingApplication", List.of(), "server.port=0",
				"listing=/dev/null")) {
			assertThat(program.await()).as(program::output).isZero();
		}
	}

}
