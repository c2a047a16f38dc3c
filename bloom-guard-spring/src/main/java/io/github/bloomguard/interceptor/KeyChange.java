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

package io.github.bloomguard.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.call.InnerTransactions;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.declaration.GuardExpression;
import io.github.bloomguard.declaration.GuardOperation;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.expression.EvaluationException;
import org.springframework.util.ObjectUtils;

/**
 * What a {@code @BloomAdd} or a {@code @BloomRemove} does with the keys of a call.
 */
record KeyChange(GuardOperation operation, Supplier<WrittenFilter> filter, AtomicBoolean warned) {

	private static final Log logger = LogFactory.getLog(KeyChange.class);

	/**
	 * Decide what is to be done, before the method does anything.
	 */
	static List<Begun> begin(List<KeyChange> changes) {
		return changes.stream()
			.map((change) -> new Begun(change,
					change.operation.declaration().isOf(BloomRemove.class) ? change.filter.get().removal() : null,
					new Inner()))
			.toList();
	}

	/**
	 * Call the method. Outside of a transaction, keys that are known without a result are
	 * added before the commit of each one that ends within the method.
	 */
	static @Nullable Object proceed(List<Begun> changes, MethodInvocation invocation) throws Throwable {
		InnerTransactions inner = InnerTransactions.watch(ThreadTransaction.isActive() ? () -> {
		} : () -> changes.forEach((change) -> change.addEarly(invocation)));
		try {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			failed(changes, invocation, Transaction.OF_THREAD, ex);
			throw ex;
		}
		finally {
			inner.end();
			changes.forEach((change) -> change.inner.end(inner));
		}
	}

	/**
	 * Add the keys that are known without a result if the transaction of a method that
	 * has failed is committed nevertheless, such as after a checked exception.
	 */
	static void failed(List<Begun> changes, MethodInvocation invocation, Transaction transaction, Throwable failure) {
		try {
			changes.stream().filter((begun) -> begun.removal == null).map(Begun::change).forEach((change) -> {
				WrittenFilter added = change.filter.get();
				transaction.addBeforeCommit(added, change.keysSoFar(added, invocation));
			});
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Any failure fails the call: a key that is silently not added hides a row.
	 */
	static void applyAll(List<Begun> changes, MethodInvocation invocation, @Nullable Object result,
			Transaction transaction) {
		Object unwrapped = ObjectUtils.unwrapOptional(result);
		changes.forEach((change) -> change.apply(invocation, unwrapped, transaction));
	}

	/**
	 * Add the keys of a call that is still to be made. Waits for Redis.
	 * @return to be run when the call has ended, however it did: a rebuild that began
	 * meanwhile may know the keys no more, and not have found the rows yet
	 */
	static Runnable addAllFirst(List<KeyChange> adds, MethodInvocation invocation, Transaction transaction) {
		List<Runnable> ends = adds.stream().map((add) -> add.addFirst(invocation, transaction)).toList();
		return () -> ends.forEach(Runnable::run);
	}

	private Runnable addFirst(MethodInvocation invocation, Transaction transaction) {
		List<@Nullable Object> keys = keys(invocation, null);
		WrittenFilter added = this.filter.get();
		return keys.isEmpty() ? () -> {
		} : transaction.addFirst(added, added.known(keys));
	}

	/**
	 * Return the keys of the rows that a call has changed, {@code null} for one that is
	 * not known yet. Without a result there are none, if they or the condition can't be
	 * told without it.
	 */
	private List<@Nullable Object> keys(MethodInvocation invocation, @Nullable Object result) {
		GuardExpression key = this.operation.key();
		GuardExpression condition = this.operation.condition();
		try {
			if (condition != null && !condition.holds(invocation, result)) {
				return List.of();
			}
			Object value = key.evaluate(invocation, result);
			if (value == null && result == null && key.usesResult()) {
				return List.of();
			}
			return this.operation.many() ? each(value) : Collections.singletonList(value);
		}
		catch (EvaluationException ex) {
			if (result == null && this.operation.usesResult()) {
				return List.of();
			}
			throw ex;
		}
	}

	/**
	 * Return the keys that are known without a result.
	 */
	private List<@Nullable Object> keysSoFar(WrittenFilter added, MethodInvocation invocation) {
		List<@Nullable Object> keys = added.known(keys(invocation, null));
		keys.removeIf(Objects::isNull);
		return keys;
	}

	/**
	 * What has no elements is a key itself: a key that is not added hides a row.
	 */
	static List<@Nullable Object> each(@Nullable Object value) {
		if (value instanceof Iterable<?> iterable) {
			List<@Nullable Object> keys = new ArrayList<>();
			iterable.forEach(keys::add);
			return keys;
		}
		if (value == null || value instanceof byte[] || !value.getClass().isArray()) {
			return Collections.singletonList(value);
		}
		return Arrays.asList(ObjectUtils.toObjectArray(value));
	}

	/**
	 * @param committed whether a transaction was committed before the method returned
	 */
	private void warnOnce(boolean committed) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(LogMessage.format(
					"%s is called outside of a transaction%s, so others can see its row before its key"
							+ " is added, and a call for it in between is told that there is none. %s",
					this.operation.declaration(),
					committed ? ", and has committed one before it returned, as if woven by AspectJ" : "",
					committed
							? "Name the key by a parameter instead of #result, which is not known at the commit,"
									+ " or call it in a transaction"
							: "Put @Transactional on the method, or call it in a transaction; or write before = true"
									+ " if the key is known by then"));
		}
	}

	/**
	 * A change that is decided.
	 *
	 * @param removal {@code null} for keys that are added
	 */
	record Begun(KeyChange change, @Nullable KeyRemoval removal, Inner inner) {

		boolean usesResult() {
			return this.change.operation.usesResult();
		}

		private void apply(MethodInvocation invocation, @Nullable Object result, Transaction transaction) {
			List<@Nullable Object> keys = this.change.keys(invocation, result);
			if (keys.isEmpty()) {
				return;
			}
			if (this.removal != null) {
				if (!this.inner.rolledBack) {
					transaction.remove(this.removal, keys);
				}
				return;
			}
			WrittenFilter added = this.change.filter.get();
			List<@Nullable Object> known = added.known(keys);
			if (this.inner.added.containsAll(known)) {
				return;
			}
			if (transaction == Transaction.OF_THREAD && !ThreadTransaction.isActive()) {
				this.change.warnOnce(this.inner.committed);
			}
			transaction.add(added, known);
		}

		private void addEarly(MethodInvocation invocation) {
			if (this.removal == null) {
				WrittenFilter added = this.change.filter.get();
				this.inner.add(added, this.change.keysSoFar(added, invocation));
			}
		}

	}

	/**
	 * What became of the transactions within the method, and the keys that were added
	 * before their commits.
	 */
	private static final class Inner {

		private final Set<@Nullable Object> added = new HashSet<>();

		private @Nullable TransactionalKeys keys;

		private boolean committed;

		private boolean rolledBack;

		void add(WrittenFilter filter, List<@Nullable Object> keys) {
			if (this.added.containsAll(keys)) {
				return;
			}
			if (this.keys == null) {
				this.keys = filter.transactionalKeys();
			}
			this.keys.add(keys);
			this.added.addAll(keys);
		}

		void end(InnerTransactions inner) {
			this.committed = inner.isCommitted();
			this.rolledBack = inner.isRolledBack();
			if (this.keys != null) {
				this.keys.afterCommit();
			}
		}

	}

	interface Transaction {

		Transaction OF_THREAD = new Transaction() {

			@Override
			public void add(WrittenFilter filter, List<@Nullable Object> keys) {
				filter.add(keys);
			}

			@Override
			public void addBeforeCommit(WrittenFilter filter, List<@Nullable Object> keys) {
				if (ThreadTransaction.isActive()) {
					ThreadTransaction.beforeCommit(filter, () -> filter.add(keys));
				}
			}

			@Override
			public Runnable addFirst(WrittenFilter filter, List<@Nullable Object> keys) {
				if (ThreadTransaction.isActive()) {
					return Transaction.super.addFirst(filter, keys);
				}
				TransactionalKeys added = filter.transactionalKeys();
				added.add(keys);
				return added::afterCommit;
			}

			@Override
			public void remove(KeyRemoval removal, List<@Nullable Object> keys) {
				removal.remove(keys);
			}

		};

		void add(WrittenFilter filter, List<@Nullable Object> keys);

		/**
		 * Add keys if the transaction is committed.
		 */
		void addBeforeCommit(WrittenFilter filter, List<@Nullable Object> keys);

		/**
		 * Add the keys of rows that are still to be written.
		 * @return to be run when they are; waits for Redis, and does not fail
		 */
		default Runnable addFirst(WrittenFilter filter, List<@Nullable Object> keys) {
			add(filter, keys);
			return () -> {
			};
		}

		void remove(KeyRemoval removal, List<@Nullable Object> keys);

	}

}
