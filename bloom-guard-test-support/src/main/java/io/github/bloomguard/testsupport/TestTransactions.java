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

package io.github.bloomguard.testsupport;

import java.util.ArrayList;
import java.util.List;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transactions of nothing, whose beginnings and ends are told.
 */
public class TestTransactions extends AbstractPlatformTransactionManager {

	private static final long serialVersionUID = 1L;

	private final transient List<String> events;

	/**
	 * Create transactions that tell it to nobody but listeners.
	 */
	public TestTransactions(TransactionExecutionListener... listeners) {
		this(new ArrayList<>(), listeners);
	}

	/**
	 * Create new transactions.
	 * @param events to which {@code begin}, {@code commit} and {@code rollback} are added
	 */
	public TestTransactions(List<String> events, TransactionExecutionListener... listeners) {
		this.events = events;
		setTransactionExecutionListeners(List.of(listeners));
	}

	public List<String> events() {
		return this.events;
	}

	@Override
	protected Object doGetTransaction() {
		return this;
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		this.events.add("begin");
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		this.events.add("commit");
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
		this.events.add("rollback");
	}

}
