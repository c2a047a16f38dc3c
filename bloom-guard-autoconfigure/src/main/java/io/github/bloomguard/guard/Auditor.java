package io.github.bloomguard.guard;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Loader;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Makes calls in the background that a filter has answered, one after the other. A few
 * may wait; what comes while they do is dropped.
 */
final class Auditor {

	private static final Log logger = LogFactory.getLog(Auditor.class);

	private static final int MAX_WAITING = 16;

	private static final long MAX_SECONDS = 60;

	private final String filter;

	private final double sampleRate;

	private final Executor executor;

	private final Queue<Audit> waiting = new ArrayDeque<>(MAX_WAITING);

	private boolean busy;

	private final AtomicBoolean failed = new AtomicBoolean();

	private Auditor(String filter, double sampleRate, Executor executor) {
		this.filter = filter;
		this.sampleRate = sampleRate;
		this.executor = executor;
	}

	/**
	 * Return the auditor of a filter, {@code null} if nothing is audited.
	 */
	static @Nullable Auditor of(FilterSettings settings, Executor executor) {
		return (settings.mode() == FilterMode.ENFORCE && settings.auditSampleRate() > 0)
				? new Auditor(settings.name(), settings.auditSampleRate(), executor) : null;
	}

	boolean draws() {
		return ThreadLocalRandom.current().nextDouble() < this.sampleRate;
	}

	/**
	 * Make a call soon, or never if too many wait.
	 * @param call makes the call and tells whether it has found something
	 * @param onFound called if it has
	 */
	void audit(Loader<? extends CompletionStage<Boolean>, ?> call, Runnable onFound) {
		Audit audit = new Audit(call, onFound);
		synchronized (this.waiting) {
			if (this.busy) {
				if (this.waiting.size() < MAX_WAITING) {
					this.waiting.add(audit);
				}
				return;
			}
			this.busy = true;
		}
		start(audit);
	}

	private void start(Audit audit) {
		try {
			this.executor.execute(() -> run(audit));
		}
		catch (RejectedExecutionException ex) {
			startNext();
		}
	}

	private void startNext() {
		Audit next;
		synchronized (this.waiting) {
			next = this.waiting.poll();
			this.busy = next != null;
		}
		if (next != null) {
			start(next);
		}
	}

	private void run(Audit audit) {
		result(audit.call()).orTimeout(MAX_SECONDS, TimeUnit.SECONDS).whenComplete((found, failure) -> {
			if (failure != null) {
				failed(failure);
			}
			else if (found) {
				audit.onFound().run();
			}
		}).whenComplete((found, failure) -> startNext());
	}

	private static CompletableFuture<Boolean> result(Loader<? extends CompletionStage<Boolean>, ?> call) {
		try {
			return call.load().toCompletableFuture().copy();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void failed(Throwable failure) {
		if (this.failed.compareAndSet(false, true)) {
			logger.warn(LogMessage.format("An audit of the filter '%s' failed; this is logged once", this.filter),
					failure);
		}
	}

	private record Audit(Loader<? extends CompletionStage<Boolean>, ?> call, Runnable onFound) {
	}

}
