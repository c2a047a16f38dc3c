package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.redisson.Redisson;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tests are run with what the documentation says.
 */
class VersionsTests {

	private final String springBoot = System.getProperty("compatibility.spring-boot");

	private final String redisson = System.getProperty("compatibility.redisson");

	@Test
	void versionsAreThoseOfTheModule() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(this.springBoot);
		assertThat(Redisson.class.getPackage().getImplementationVersion()).isEqualTo(this.redisson);
	}

	@Test
	void versionsAreDocumented() throws IOException {
		Path module = Path.of("").toAbsolutePath();
		assertThat(Files.readAllLines(module.resolve("../../docs/compatibility.md")))
			.filteredOn((line) -> line.startsWith("| `" + module.getFileName() + "` |"))
			.isNotEmpty()
			.allSatisfy(
					(line) -> assertThat(line).contains("| " + this.springBoot + " |", "| " + this.redisson + " |"));
	}

}
