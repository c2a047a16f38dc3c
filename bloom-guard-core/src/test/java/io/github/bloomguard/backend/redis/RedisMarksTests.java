package io.github.bloomguard.backend.redis;

import java.time.Duration;

import io.github.bloomguard.catchup.Mark;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisMarks}.
 */
class RedisMarksTests {

	private static final String CONTROL = "test:{products}:control";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static RedissonClient redisson;

	private final Marks marks = new RedisMarks(new RedisAccess(redisson, Runnable::run),
			new RedisKeys("test", "products"), "origin", Duration.ofSeconds(2));

	@BeforeAll
	static void start() {
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
	}

	@BeforeEach
	void listTwoGenerations() {
		redis.command("FLUSHALL");
		redis.command("HSET", CONTROL, "g:a", "ACTIVE", "g:b", "LOADING");
	}

	@Test
	void eachGenerationHasItsOwnMark() {
		assertThat(this.marks.read("a").join()).isEmpty();
		assertThat(this.marks.start("a", new Mark(1)).join()).isTrue();
		assertThat(this.marks.start("b", new Mark("x|é")).join()).isTrue();
		assertThat(this.marks.read("a").join()).contains(new Mark(1));
		assertThat(this.marks.read("b").join()).contains(new Mark("x|é"));
	}

	@Test
	void generationThatIsNotListedGetsNoMark() {
		assertThat(this.marks.start("c", new Mark(1)).join()).isFalse();
		redis.command("DEL", CONTROL);
		assertThat(this.marks.start("a", new Mark(1)).join()).isFalse();
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void markMovesOnlyFromWhereItIs() {
		this.marks.start("a", new Mark(1)).join();
		assertThat(this.marks.move("a", new Mark(1), new Mark(5)).join()).isTrue();
		assertThat(this.marks.move("a", new Mark(1), new Mark(3)).join()).isFalse();
		assertThat(this.marks.read("a").join()).contains(new Mark(5));
		assertThat(this.marks.move("a", new Mark(1), new Mark(5)).join()).as("repeated").isTrue();
	}

	@Test
	void lostMarkIsNotMoved() {
		assertThat(this.marks.move("a", new Mark(1), new Mark(5)).join()).isFalse();
		redis.command("DEL", CONTROL);
		assertThat(this.marks.move("a", new Mark(1), new Mark(5)).join()).isFalse();
		redis.command("SET", CONTROL, "x");
		assertThat(this.marks.move("a", new Mark(1), new Mark(5)).join()).isFalse();
		assertThat(this.marks.read("a").join()).isEmpty();
	}

	@Test
	void thereIsOneTurnInEachInterval() {
		Duration interval = Duration.ofMillis(300);
		assertThat(this.marks.takeTurn(interval).join()).isZero();
		assertThat(this.marks.takeTurn(interval).join()).isBetween(Duration.ofMillis(1), interval);
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> this.marks.takeTurn(interval).join().isZero());
	}

	@Test
	void applicationsWithOtherSourcesHaveTheirOwnTurns() {
		Duration interval = Duration.ofMinutes(1);
		assertThat(this.marks.takeTurn(interval).join()).isZero();
		assertThat(new RedisMarks(new RedisAccess(redisson, Runnable::run), new RedisKeys("test", "products"), "other",
				Duration.ofSeconds(2))
			.takeTurn(interval)
			.join()).isZero();
	}

	@Test
	void turnThatSomebodyElseWroteDoesNotLastForEver() {
		redis.command("SET", "test:{products}:catch-up:origin", "x");
		assertThat(this.marks.takeTurn(Duration.ofMinutes(1)).join()).isZero();
		redis.command("DEL", "test:{products}:catch-up:origin");
		redis.command("LPUSH", "test:{products}:catch-up:origin", "x");
		assertThat(this.marks.takeTurn(Duration.ofMinutes(1)).join()).isZero();
	}

}
