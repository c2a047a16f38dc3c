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

package io.github.bloomguard.call;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.KeyNotAddedException;
import org.jspecify.annotations.Nullable;

/**
 * One configured filter, as what writes rows sees it: it adds the keys of new rows before
 * others can see them, removes those of deleted rows after the commit, and says so if it
 * does not know a key. A call that reads sees a {@link GuardedFilter}.
 */
public interface WrittenFilter {

	String name();

	/**
	 * Add the keys of new rows, and forget that they were absent. In a transaction of
	 * Spring's that is bound to the thread they are looked after until its end.
	 * @param keys a collection or an array is one key of several parts
	 * @throws KeyNotAddedException if the keys could not be added, or one is {@code null}
	 */
	void add(Collection<? extends @Nullable Object> keys);

	/**
	 * Return keys as they can be added: {@code null} for one of which a part is
	 * {@code null}, because it is not known yet.
	 */
	List<@Nullable Object> known(Collection<? extends @Nullable Object> keys);

	/**
	 * Return whether the filter or one of its listeners may remember that a key was not
	 * found. Then the key of a changed row has to be {@linkplain #add added} again.
	 */
	boolean remembersAbsence();

	/**
	 * Report new rows whose keys are not known: nothing is called absent until the filter
	 * was loaded again, after the end of a transaction that is bound to the thread.
	 */
	void mistrust(String reason);

	/**
	 * Begin the removal of keys that no row has, as the caller knows.
	 */
	KeyRemoval removal();

	/**
	 * Begin the removal of keys whose rows were deleted as far as the caller knows. The
	 * sources are asked whether they are gone: a trigger or a soft delete may leave them.
	 * Where they can't tell, nothing is removed.
	 */
	KeyRemoval removalIfGone();

	/**
	 * Return what looks after the keys of a transaction that is not bound to a thread.
	 */
	TransactionalKeys transactionalKeys();

	/**
	 * Return what looks after the keys of the transaction of Spring's that is bound to
	 * the thread, at the end of that, {@code null} without one.
	 */
	@Nullable TransactionalKeys keysOfThread();

}
