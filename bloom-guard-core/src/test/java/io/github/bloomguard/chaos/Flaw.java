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

package io.github.bloomguard.chaos;

/**
 * A rule of the protocol that is broken on purpose.
 */
enum Flaw {

	/**
	 * None.
	 */
	NONE,

	/**
	 * A filter answers although its seal is missing.
	 */
	NO_SEAL,

	/**
	 * Keys are added when their rows are committed already.
	 */
	ADD_AFTER_COMMIT,

	/**
	 * A builder does not replay the journal.
	 */
	NO_JOURNAL_REPLAY,

	/**
	 * A builder replays the journal from the beginning of its scan only.
	 */
	REPLAY_FROM_THE_SCAN,

	/**
	 * A builder replays the journal before it makes its generation live.
	 */
	REPLAY_BEFORE_LIVE,

	/**
	 * Whoever adds does not see that the record has changed.
	 */
	NO_EPOCH_CHECK,

	/**
	 * An add does not look at the record again, although it has taken long.
	 */
	SLOW_ADD_UNCONFIRMED,

	/**
	 * A transaction takes the end of an add for its beginning.
	 */
	AGE_FROM_THE_END,

	/**
	 * A builder waits after a loss as if an add that does not look again took no time.
	 */
	SCANNED_TOO_EARLY,

	/**
	 * An old generation leaves the list before its bits are deleted.
	 */
	DROPPED_BEFORE_DELETED,

	/**
	 * A sentinel is written although the key was added lately.
	 */
	SENTINEL_DESPITE_RECENT_ADD,

	/**
	 * A sentinel is written for what a transaction has not found, and no source is asked.
	 */
	SOURCE_NOT_ASKED,

	/**
	 * Added keys are not noted, only the sentinel is deleted.
	 */
	RECENT_ADDS_NOT_NOTED,

	/**
	 * A builder seals without looking whether bits were lost.
	 */
	SEALED_WITHOUT_CHECK,

	/**
	 * A reader trusts a record however long ago it was read.
	 */
	NO_LEASE,

	/**
	 * An add does not wait until nobody trusts the record that was lost.
	 */
	LEASE_NOT_ENDED,

	/**
	 * A builder replays the journal as if an add took no time.
	 */
	REPLAY_WITHOUT_THE_ADD,

	/**
	 * A transaction does not write keys again that it has added long ago.
	 */
	OLD_KEYS,

	/**
	 * A mirror is renewed without what was added since.
	 */
	RENEWED_WITHOUT_THE_JOURNAL,

	/**
	 * A mirror confirms keys that it does not have.
	 */
	ACKNOWLEDGED_WITHOUT_KEYS,

	/**
	 * An add waits for mirrors for a shorter time than they are trusted.
	 */
	ACK_TIMEOUT_BELOW_LEASE,

	/**
	 * An add waits for mirrors from the moment on when it has sent its keys.
	 */
	ACK_TIMEOUT_FROM_SENDING,

	/**
	 * A mirror reads the journal from where it was when the bits had been copied.
	 */
	POSITION_AFTER_THE_COPY,

	/**
	 * A mirror reads the journal as if an add took no time.
	 */
	COPY_WITHOUT_THE_ADD,

	/**
	 * A mirror has its lease revoked although it has been renewed.
	 */
	REVOKED_AFTER_RENEWAL,

	/**
	 * A mirror has its lease revoked before anybody has waited for it.
	 */
	REVOKED_AT_ONCE,

	/**
	 * An add does not wait for mirrors that a new server may not know of.
	 */
	FAILOVER_UNNOTICED,

	/**
	 * A remove does not look whether the key was added since.
	 */
	REMOVED_DESPITE_ADD,

	/**
	 * A mirror takes a key for removed that was added again after that.
	 */
	REMOVED_IN_ANY_ORDER,

	/**
	 * A mirror does not read the keys that its own instance adds, also after a removal.
	 */
	ORDER_UNREAD,

	/**
	 * An old generation leaves the list when one of its shards is deleted.
	 */
	ONE_SHARD_DELETED,

	/**
	 * An add takes shards for written by the step that appends its keys.
	 */
	SHARDS_NOT_WRITTEN

}
