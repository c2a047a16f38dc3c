package io.github.bloomguard.logging;

import java.util.List;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LogFields}.
 */
class LogFieldsTests {

	@Test
	void linesAboutAFilterNameItInAField() {
		try (GuardApplication application = GuardApplication.start(List.of(new Keys("products", 10)),
				"bloom-guard.filters.products.type=memory")) {
			application.awaitReady();
			try (LogLines lines = LogLines.ofTheGuard()) {
				application.guard().rebuild("products").join();
				assertThat(lines.events())
					.filteredOn((event) -> event.getFormattedMessage().contains("Warm-up of the filter 'products'"))
					.isNotEmpty()
					.allMatch((event) -> "products".equals(event.getMDCPropertyMap().get(LogFields.FILTER)));
			}
		}
	}

	@Test
	void fieldIsAsBeforeAfterwards() {
		MDC.put(LogFields.FILTER, "outer");
		try {
			LogFields.withFilter("inner", () -> assertThat(MDC.get(LogFields.FILTER)).isEqualTo("inner"));
			assertThat(MDC.get(LogFields.FILTER)).isEqualTo("outer");
		}
		finally {
			MDC.remove(LogFields.FILTER);
		}
		assertThatIllegalStateException().isThrownBy(() -> LogFields.withFilter("inner", () -> {
			throw new IllegalStateException();
		}));
		assertThat(MDC.get(LogFields.FILTER)).isNull();
	}

}
