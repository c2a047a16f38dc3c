package io.github.bloomguard.testsupport;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys that were removed from the filters in a Redis.
 */
public final class RemovedKeys {

	private RemovedKeys() {
	}

	/**
	 * Let filters look as if they had been there for a long time: a removal needs to know
	 * what was added lately.
	 */
	public static void allow(TestRedis redis, String... filters) {
		for (String filter : filters) {
			redis.command("HSET", "bloom-guard:{" + filter + "}:control", "since", "1");
		}
	}

	/**
	 * Return the keys that have been removed, in that order.
	 */
	public static List<String> of(TestRedis redis, String filter) {
		List<String> removed = new ArrayList<>();
		List<String> journal = redis.command("XRANGE", "bloom-guard:{" + filter + "}:journal", "-", "+")
			.lines()
			.toList();
		for (int i = 0; i < journal.size() - 1; i++) {
			if (journal.get(i).equals("r")) {
				removed.add(journal.get(i + 1));
			}
		}
		return removed;
	}

}
