package io.github.bloomguard.chaos;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.chaos.Shop.Catalogue;
import io.github.bloomguard.chaos.Shop.Products;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.testsupport.GuardApplication;

/**
 * One of several instances of the application, which may be replaced by a new one while
 * nobody uses it.
 */
final class Instance implements AutoCloseable {

	private final int number;

	private final ReadWriteLock lock = new ReentrantReadWriteLock();

	private volatile Running running;

	Instance(int number, GuardApplication application) {
		this.number = number;
		this.running = new Running(application);
	}

	/** Use it, or do nothing if it is being replaced. */
	void use(Consumer<Running> user) {
		if (this.lock.readLock().tryLock()) {
			try {
				user.accept(this.running);
			}
			finally {
				this.lock.readLock().unlock();
			}
		}
	}

	void replace(Supplier<GuardApplication> next) {
		this.lock.writeLock().lock();
		try {
			this.running.application().close();
			this.running = new Running(next.get());
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	boolean isReady() {
		return this.running.managed().filter().active() != null;
	}

	Running running() {
		return this.running;
	}

	@Override
	public void close() {
		this.running.application().close();
	}

	@Override
	public String toString() {
		Generation active = this.running.managed().filter().active();
		return "instance " + this.number + " (" + this.running.managed().filter().state() + ", generation "
				+ ((active != null) ? active.id() : "none") + ", epoch " + this.running.managed().filter().epoch()
				+ ", " + this.running.managed().warmUp().progress() + ")";
	}

	/**
	 * The parts of the application that are used.
	 *
	 * @param application the application
	 * @param guard the guard
	 * @param managed the parts of the filter
	 * @param products reads
	 * @param catalogue writes
	 */
	record Running(GuardApplication application, BloomGuard guard, ManagedFilter managed, Products products,
			Catalogue catalogue) {

		Running(GuardApplication application) {
			this(application, application.guard(), application.products(), application.bean(Products.class),
					application.bean(Catalogue.class));
		}

	}

}
