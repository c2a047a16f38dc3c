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

package io.github.bloomguard.hibernate;

import java.util.List;

import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.call.WrittenFilters;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link InsertedKeys}.
 */
class InsertedKeysTests {

	private final WrittenFilters filters = mock();

	@Test
	void filtersThatWereAskedBeforeAnotherWaitedAreAskedOnceMoreBeforeTheCommit() {
		TransactionalKeys first = keys("products");
		TransactionalKeys slow = keys("orders");
		InsertedKeys inserted = new InsertedKeys(this.filters);
		inserted.add("products", 1);
		inserted.add("orders", 1);
		inserted.beforeCommit();
		InOrder order = inOrder(first, slow);
		order.verify(slow).beforeCommit();
		order.verify(first).beforeCommit();
	}

	private TransactionalKeys keys(String name) {
		WrittenFilter filter = mock();
		TransactionalKeys keys = mock();
		given(this.filters.written(name)).willReturn(filter);
		given(filter.transactionalKeys()).willReturn(keys);
		return keys;
	}

}
