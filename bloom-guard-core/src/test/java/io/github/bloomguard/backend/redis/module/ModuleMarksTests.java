package io.github.bloomguard.backend.redis.module;

import java.time.Duration;

import io.github.bloomguard.backend.redis.module.ModuleServer.Kind;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.catchup.MarksContractTests;
import io.github.bloomguard.generation.ControlStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests for the marks of filters of the server, of each kind.
 */
@ParameterizedClass
@EnumSource(Kind.class)
class ModuleMarksTests extends MarksContractTests {

	@AutoClose
	private static final ModuleServer server = new ModuleServer();

	private final ModuleBackend backend;

	ModuleMarksTests(Kind kind) {
		this.backend = server.backend(kind);
	}

	@Override
	protected Marks newMarks(String origin) {
		server.flush();
		return this.backend.marks(ModuleServer.settings(origin, Duration.ZERO, Duration.ZERO));
	}

	@Override
	protected ControlStore newControl() {
		return this.backend.control(ModuleServer.settings(ORIGIN, Duration.ZERO, Duration.ZERO));
	}

}
