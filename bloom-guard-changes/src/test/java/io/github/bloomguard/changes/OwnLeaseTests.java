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

package io.github.bloomguard.changes;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OwnLeaseTests {

	private static final long LONGEST = OwnLease.LONGEST.toNanos();

	private static final BinlogPlace PLACE = new BinlogPlace(1, 100);

	private static final BinlogPlace END = new BinlogPlace(1, 200);

	private final OwnLease lease = new OwnLease("x".repeat(63));

	@Test
	void nextNameIsTriedWhenNobodyFollowsForThisFilter() {
		this.lease.taken(PLACE, END, 0);
		this.lease.taken(PLACE, END, LONGEST);
		assertThat(this.lease.name()).isEqualTo("x".repeat(63));
		this.lease.taken(PLACE, END, LONGEST + 1);
		assertThat(this.lease.name()).isEqualTo("x".repeat(60) + "_1");
		this.lease.taken(PLACE, END, LONGEST + 2);
		assertThat(this.lease.name()).endsWith("_1");
	}

	@Test
	void leaseIsWaitedForWhileItsHolderMovesOn() {
		this.lease.taken(PLACE, END, 0);
		this.lease.taken(new BinlogPlace(1, 150), END, LONGEST);
		this.lease.taken(new BinlogPlace(1, 150), END, 2 * LONGEST);
		assertThat(this.lease.name()).isEqualTo("x".repeat(63));
	}

	@Test
	void leaseIsWaitedForWhileNothingIsWritten() {
		this.lease.taken(END, END, 0);
		this.lease.taken(END, END, 2 * LONGEST);
		this.lease.taken(END, new BinlogPlace(1, 300), 3 * LONGEST);
		assertThat(this.lease.name()).isEqualTo("x".repeat(63));
	}

}
