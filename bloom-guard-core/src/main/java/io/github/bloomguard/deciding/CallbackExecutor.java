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

package io.github.bloomguard.deciding;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.springframework.core.task.TaskDecorator;

/**
 * Brings answers from the threads of Redis' client to threads that users may block, with
 * what is bound to the asking thread: to those of the application, unless they are all
 * busy.
 */
public record CallbackExecutor(Executor preferred, Executor always, TaskDecorator decorator) {

	/**
	 * Hand an answer over, unless it is known already.
	 * @param deadline asked when the answer has come: until when a preferred thread may
	 * take it, in the terms of {@link System#nanoTime()}
	 */
	public <T> CompletableFuture<T> handOver(CompletableFuture<T> answer, LongSupplier deadline) {
		if (answer.isDone()) {
			return answer;
		}
		CompletableFuture<Void> taken = new CompletableFuture<>();
		CompletableFuture<T> handed = taken.thenCompose((nothing) -> answer);
		Runnable delivery = this.decorator.decorate(() -> taken.complete(null));
		answer.whenComplete((value, failure) -> {
			try {
				this.preferred.execute(delivery);
				if (this.preferred != this.always) {
					insistAt(deadline.getAsLong(), handed, delivery);
				}
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				insist(delivery);
			}
		});
		return handed;
	}

	private void insistAt(long deadline, CompletableFuture<?> handed, Runnable delivery) {
		handed.copy().orTimeout(deadline - System.nanoTime(), TimeUnit.NANOSECONDS).whenComplete((value, late) -> {
			if (!handed.isDone()) {
				insist(delivery);
			}
		});
	}

	private void insist(Runnable delivery) {
		try {
			this.always.execute(delivery);
		}
		catch (RejectedExecutionException ex) {
			// the application is closing
			ForkJoinPool.commonPool().execute(delivery);
		}
	}

}
