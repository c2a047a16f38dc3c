package io.github.bloomguard.guard;

import java.time.Duration;
import java.time.ZonedDateTime;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.FillLevel.Measurement;
import io.github.bloomguard.generation.Generation;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * When a generation is replaced. All is told from the generation itself, so the instances
 * of an application agree without talking to each other.
 *
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param cron replaced at each of these times
 * @param interval replaced at this age
 * @param maxFalsePositiveFactor replaced, by a larger one, when the estimated probability
 * of a false positive exceeds this multiple of the configured one; 0 for never
 * @since 0.1.0
 */
public record RebuildPolicy(Duration longestTransaction, @Nullable CronExpression cron, @Nullable Duration interval,
		double maxFalsePositiveFactor) {

	boolean isDue(Generation active, Measurement fill, ZonedDateTime now) {
		ZonedDateTime created = active.createdAt().atZone(now.getZone());
		return isPast(created, now) || isOverfull(active, fill);
	}

	private boolean isPast(ZonedDateTime created, ZonedDateTime now) {
		if (this.interval != null && created.plus(this.interval).isBefore(now)) {
			return true;
		}
		ZonedDateTime next = (this.cron != null) ? this.cron.next(created) : null;
		return next != null && next.isBefore(now);
	}

	/**
	 * Tell whether the next generation would be larger and is to be. One that holds no
	 * more keys than it was made for would be followed by one of the same size, again and
	 * again.
	 */
	private boolean isOverfull(Generation active, Measurement fill) {
		FilterSpecification size = active.specification();
		double limit = this.maxFalsePositiveFactor * size.falsePositiveProbability();
		return limit > 0 && active.equals(fill.generation()) && fill.estimatedFalsePositiveProbability() > limit
				&& fill.estimatedInsertions() > size.expectedInsertions()
				&& size.expectedInsertions() < size.maxInsertions();
	}

}
