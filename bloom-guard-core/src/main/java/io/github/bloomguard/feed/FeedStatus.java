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

package io.github.bloomguard.feed;

import org.jspecify.annotations.Nullable;

/**
 * How a database keeps its log for a feed.
 *
 * @param name the database's name for it, such as that of a replication slot
 * @param follower the database's id of the instance that follows
 * @param released a position in the present log, up to which it may be gone
 * @param lag bytes of the log that the feed has not come to
 * @param retained bytes of the log that the database keeps because of the feed
 */
public record FeedStatus(String name, @Nullable String follower, FilePosition released, long lag, long retained) {

}
