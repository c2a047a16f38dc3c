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

package io.github.bloomguard.filter;

/**
 * Estimates of how full a filter is.
 *
 * @param fillRatio the share of its bits or places that are taken, from 0 to 1
 * @param crowded whether a larger one should take its place before it is full
 */
public record Occupancy(long insertions, double falsePositiveProbability, double fillRatio, long sizeInBytes,
		boolean crowded) {

	public static final Occupancy NOTHING = new Occupancy(0, 0, 0, 0, false);

	/**
	 * @param crowding see {@link FilterSpecification#crowded}
	 */
	public static Occupancy ofBits(FilterSpecification specification, long bitsSet, double crowding) {
		return new Occupancy(specification.estimatedInsertions(bitsSet),
				specification.estimatedFalsePositiveProbability(bitsSet, crowding), specification.fillRatio(bitsSet),
				(specification.bits() + Byte.SIZE - 1) / Byte.SIZE, false);
	}

}
