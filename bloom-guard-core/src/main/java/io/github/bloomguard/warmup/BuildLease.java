/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.generation.ControlStore;

/**
 * The right to build a generation of one filter, renewed until it is closed. Losing it
 * needs no notice: each step of a build is fenced by the token.
 * <p>
 * A lease that has ended because renewals came too late, as on a machine without a
 * processor to spare, is taken again if no other builder has taken it. If one has, and is
 * done already, that does no harm: it has retired the generation of this one, and each
 * step looks at the phase.
 */
public final class BuildLease implements AutoCloseable {

	static final Duration DURATION = Duration.ofSeconds(10);

	private final ControlStore control;

	private final String token;

	private final ScheduledFuture<?> renewal;

	private volatile Runnable keepAlive = () -> {
	};

	private volatile boolean closed;

	private BuildLease(ControlStore control, String token, ScheduledExecutorService scheduler) {
		this.control = control;
		this.token = token;
		long period = DURATION.dividedBy(3).toMillis();
		this.renewal = scheduler.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
	}

	private void renew() {
		this.control.renew(this.token, DURATION).thenAccept((held) -> {
			if (!held && !this.closed) {
				this.control.acquire(this.token, DURATION);
			}
		});
		this.keepAlive.run();
	}

	static Optional<BuildLease> acquire(ControlStore control, ScheduledExecutorService scheduler, String token) {
		return control.acquire(token, DURATION).join() ? Optional.of(new BuildLease(control, token, scheduler))
				: Optional.empty();
	}

	String token() {
		return this.token;
	}

	void alsoKeep(Runnable keepAlive) {
		this.keepAlive = keepAlive;
	}

	@Override
	public void close() {
		this.closed = true;
		this.renewal.cancel(false);
		this.control.release(this.token).orTimeout(1, TimeUnit.SECONDS).exceptionally((failure) -> null).join();
	}

}
