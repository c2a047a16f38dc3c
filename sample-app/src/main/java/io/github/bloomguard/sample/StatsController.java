package io.github.bloomguard.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells how much of the traffic has reached the database.
 */
@RestController
class StatsController {

	private final QueryCounter counter;

	StatsController(QueryCounter counter) {
		this.counter = counter;
	}

	@GetMapping("/stats")
	QueryCounter.Stats stats() {
		return this.counter.stats();
	}

}
