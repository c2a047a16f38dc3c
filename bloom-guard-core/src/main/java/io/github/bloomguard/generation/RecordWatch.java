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

package io.github.bloomguard.generation;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the records of many filters with one message, so that a filter at which
 * nothing happens costs next to nothing.
 */
public interface RecordWatch {

	/**
	 * Never says that a record is as it was, so each filter reads its record itself.
	 */
	RecordWatch NONE = (watched) -> CompletableFuture.completedFuture(new Sight(Set.of(), 0));

	/**
	 * Find out which records are as they were read, by one atomic look at the primary. A
	 * record counts as the same only if what reading it again would return is the same,
	 * but for the time, and if the keys that belong to it are still there: the journal,
	 * the keys added lately, and the bits of the active generation.
	 * @return what was seen; exceptionally if it can't be told
	 */
	CompletableFuture<Sight> look(List<Watched> watched);

	/**
	 * What a filter was when its record was read.
	 *
	 * @param active the generation that answers, whose bits have to be there
	 * @param origin that of the keys of this instance, whose use is noted
	 */
	record Watched(String filter, ControlRecord record, Generation active, String origin) {

	}

	/**
	 * What was seen.
	 *
	 * @param unchanged the names of the filters whose records are as they were
	 * @param now the time of the server's clock, in milliseconds
	 */
	record Sight(Set<String> unchanged, long now) {

	}

}
