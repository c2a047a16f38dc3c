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

package io.github.bloomguard.backend.redis.module;

import java.util.List;

import io.github.bloomguard.filter.Occupancy;

/**
 * How large a filter of the server is, and what follows from how many elements it has.
 */
interface FilterSize {

	/**
	 * How many keys a filter has room for, as a multiple of those that are expected. A
	 * larger one is built before it is full, and this is what may be added meanwhile.
	 */
	double HEAD_ROOM = 1.5;

	double CROWDED = 0.8;

	long MAX_RESERVED = 1L << 30;

	List<String> reservation(int more);

	long capacity();

	long reserved();

	double worstFalsePositiveProbability();

	Occupancy occupancy(long elements, long sizeInBytes);

}
