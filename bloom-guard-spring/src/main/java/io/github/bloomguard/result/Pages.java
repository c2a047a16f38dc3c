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

package io.github.bloomguard.result;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.OffsetScrollPosition;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Window;

/**
 * Empty pages for the given {@code Pageable}. Only this needs Spring Data.
 */
final class Pages {

	private Pages() {
	}

	static boolean isPage(Class<?> type) {
		return Slice.class.isAssignableFrom(type) || Window.class.isAssignableFrom(type);
	}

	static @Nullable EmptyValue of(Class<?> declared) {
		if (declared == Window.class) {
			return (arguments) -> Window.from(List.of(), OffsetScrollPosition.positionFunction(0));
		}
		if (declared.isAssignableFrom(SliceImpl.class)) {
			return (arguments) -> new SliceImpl<>(List.of(), pageable(arguments), false);
		}
		return (declared == Page.class) ? (arguments) -> Page.empty(pageable(arguments)) : null;
	}

	/**
	 * A page that is not the first is empty too where others are not.
	 */
	static ResultContent content(Object result, @Nullable Object[] arguments) {
		if (result instanceof Page<?> page) {
			return (page.hasContent() || page.getTotalElements() > 0) ? ResultContent.PRESENT : ResultContent.EMPTY;
		}
		if (result instanceof Slice<?> slice) {
			return content(slice.hasContent(), !slice.hasPrevious());
		}
		boolean first = Arrays.stream(arguments)
			.noneMatch((argument) -> argument instanceof ScrollPosition position && !position.isInitial());
		return content(!((Window<?>) result).isEmpty(), first);
	}

	private static ResultContent content(boolean found, boolean first) {
		return found ? ResultContent.PRESENT : first ? ResultContent.EMPTY : ResultContent.UNKNOWN;
	}

	private static Pageable pageable(@Nullable Object[] arguments) {
		return Arrays.stream(arguments)
			.filter(Pageable.class::isInstance)
			.map(Pageable.class::cast)
			.findFirst()
			.orElseGet(Pageable::unpaged);
	}

}
