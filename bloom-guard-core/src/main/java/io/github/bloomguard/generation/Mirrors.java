package io.github.bloomguard.generation;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.MirrorFeed.Sender;
import io.github.bloomguard.generation.MirrorWaits.Wait;
import io.github.bloomguard.generation.View.ActiveGeneration;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of one filter: that of this instance, and those of others.
 */
final class Mirrors implements MirrorFeed.Receiver {

	private final ControlStore control;

	private final MirrorKeeper own;

	private final MirrorWaits others;

	Mirrors(ControlStore control, MonotonicClock clock, Runnable renewal) {
		this.control = control;
		this.own = new MirrorKeeper(control, clock, renewal);
		this.others = new MirrorWaits(control, clock);
	}

	MirrorKeeper own() {
		return this.own;
	}

	/**
	 * Prepare for confirmations of keys that will be appended.
	 */
	Wait expect() {
		return this.others.expect();
	}

	/**
	 * Wait until each mirror that answers has keys.
	 * @param wait what was prepared for them
	 * @param keys the keys
	 * @param appended the reply, which has just arrived
	 */
	CompletableFuture<Void> await(Wait wait, List<String> keys, Appended appended) {
		Mirror mirror = this.own.current();
		if (mirror != null) {
			mirror.add(keys);
		}
		CompletableFuture<Void> end = wait.await(appended);
		if (!end.isDone()) {
			this.control.feed().open(this);
		}
		return end;
	}

	@Override
	public void added(Sender adder, List<String> keys) {
		Mirror mirror = this.own.current();
		if (mirror != null && !adder.instance().equals(mirror.holder().instance())) {
			mirror.add(keys);
			this.control.feed().confirm(adder, mirror.holder());
		}
	}

	@Override
	public void confirmed(long token, Holder by) {
		this.others.confirmed(token, by);
	}

	@Override
	public void applied(Holder holder, JournalPosition position) {
		this.others.applied(holder, position);
	}

	@Override
	public void ended(Holder holder) {
		this.others.ended(holder);
	}

	/**
	 * Have a mirror of the active generation as soon as messages arrive.
	 */
	void follow(@Nullable ActiveGeneration active) {
		if (active == null || !this.own.isUsed()) {
			this.own.follow(null);
			return;
		}
		CompletableFuture<Void> open = this.control.feed().open(this);
		if (open.isDone() && !open.isCompletedExceptionally()) {
			this.own.follow(active);
		}
	}

	/**
	 * Sign off.
	 * @return completed when adds do not wait for this instance's mirror
	 */
	CompletableFuture<Void> close() {
		return this.own.close().whenComplete((nothing, failure) -> this.control.feed().close());
	}

}
