package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.function.BiConsumer;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.TransactionalKeys;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Looks after the keys that are added in a reactive transaction, which is bound to the
 * subscription and not to a thread. Looking waits for Redis, which the thread that
 * commits must not do.
 *
 * @param filter the name of the filter
 * @param keys the keys
 */
record ReactiveTransaction(String filter, TransactionalKeys keys) implements TransactionSynchronization {

	/**
	 * Return what adds keys where this is subscribed to: in its transaction, if it has
	 * one.
	 */
	static Mono<BiConsumer<GuardedFilter, List<Object>>> add() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter((manager) -> manager.isActualTransactionActive() && manager.isSynchronizationActive())
			.<BiConsumer<GuardedFilter, List<Object>>>map(
					(manager) -> (filter, keys) -> keysOf(manager, filter).add(keys))
			.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty())
			.defaultIfEmpty(GuardedFilter::add);
	}

	private static TransactionalKeys keysOf(TransactionSynchronizationManager manager, GuardedFilter filter) {
		for (TransactionSynchronization synchronization : manager.getSynchronizations()) {
			if (synchronization instanceof ReactiveTransaction known && known.filter.equals(filter.name())) {
				return known.keys;
			}
		}
		TransactionalKeys keys = filter.transactionalKeys();
		manager.registerSynchronization(new ReactiveTransaction(filter.name(), keys));
		return keys;
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.<Void>fromRunnable(this.keys::beforeCommit).subscribeOn(Schedulers.boundedElastic());
	}

	@Override
	public Mono<Void> afterCommit() {
		return Mono.<Void>fromRunnable(this.keys::afterCommit).subscribeOn(Schedulers.boundedElastic());
	}

}
