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

package io.github.bloomguard.adding;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.TestTransactions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link KeyRemover}, with a source that can't look up a row.
 */
class KeyRemoverTests {

	private final GenerationalFilter filter = mock(GenerationalFilter.class, withSettings().stubOnly());

	private final List<String> removed = new ArrayList<>();

	private final KeyFormat format = new KeyFormat(List.of());

	private final KeyRemover remover = new KeyRemover("products", new FilterSettingsBuilder().build().adding(),
			this.format, this.filter,
			new SourceAnswers("products", this.format, FilterSources.of(List.of()), () -> false), Runnable::run);

	private final TransactionTemplate products = new TransactionTemplate(
			new TestTransactions(ThreadTransaction.listener(System::nanoTime)));

	private final TransactionTemplate orders = new TransactionTemplate(
			new TestTransactions(ThreadTransaction.listener(System::nanoTime)));

	@BeforeEach
	void answer() {
		given(this.filter.serverTime()).willReturn(1L);
		given(this.filter.isDistinct(anyString())).willReturn(true);
		given(this.filter.remove(anyCollection(), anyLong(), any())).willAnswer((invocation) -> {
			this.removed.addAll(invocation.getArgument(0));
			return CompletableFuture.completedFuture(1L);
		});
	}

	@Test
	void keyIsRemovedAfterTheCommit() {
		this.products.executeWithoutResult((status) -> {
			this.remover.removal().remove(List.of(1));
			assertThat(this.removed).isEmpty();
		});
		assertThat(this.removed).containsExactly("1");
	}

	@Test
	void keyStaysIfItsTransactionIsRolledBack() {
		this.orders.executeWithoutResult((outer) -> this.products.executeWithoutResult((inner) -> {
			this.remover.removal().remove(List.of(1));
			inner.setRollbackOnly();
		}));
		assertThat(this.removed).isEmpty();
	}

	@Test
	void keyStaysIfATransactionIsRolledBackWithinWhichThatOfAnotherManagerIsCommitted() {
		this.products.executeWithoutResult((outer) -> {
			this.orders.executeWithoutResult((inner) -> this.remover.removal().remove(List.of(1)));
			this.orders.executeWithoutResult((inner) -> this.orders
				.executeWithoutResult((innermost) -> this.remover.removal().remove(List.of(2))));
			outer.setRollbackOnly();
		});
		assertThat(this.removed).isEmpty();
		this.remover.removal().remove(List.of(3));
		assertThat(this.removed).containsExactly("3");
	}

	@Test
	void keyIsRemovedWhenAllTransactionsAreCommittedWithinWhichThatOfAnotherManagerTookPlace() {
		this.products.executeWithoutResult((outermost) -> {
			this.orders.executeWithoutResult((outer) -> {
				this.products.executeWithoutResult((inner) -> this.remover.removal().remove(List.of(1)));
				assertThat(this.removed).isEmpty();
			});
			assertThat(this.removed).isEmpty();
		});
		assertThat(this.removed).containsExactly("1");
	}

}
