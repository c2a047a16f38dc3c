package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.OffsetScrollPosition;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Window;

/**
 * Makes empty pages, which know the {@code Pageable} that was asked for. This is the only
 * class that needs Spring Data.
 */
final class EmptyPage {

	private EmptyPage() {
	}

	static boolean isPage(Class<?> type) {
		return Slice.class.isAssignableFrom(type) || Window.class.isAssignableFrom(type);
	}

	/**
	 * Return the empty page of a type, or {@code null} if it is not one of Spring Data's.
	 */
	static @Nullable EmptyValue of(Class<?> declared) {
		if (declared == Window.class) {
			return (arguments) -> Window.from(List.of(), OffsetScrollPosition.positionFunction(0));
		}
		if (declared.isAssignableFrom(SliceImpl.class)) {
			return (arguments) -> new SliceImpl<>(List.of(), pageable(arguments), false);
		}
		return (declared == Page.class) ? (arguments) -> Page.empty(pageable(arguments)) : null;
	}

	private static Pageable pageable(@Nullable Object[] arguments) {
		return Arrays.stream(arguments)
			.filter(Pageable.class::isInstance)
			.map(Pageable.class::cast)
			.findFirst()
			.orElseGet(Pageable::unpaged);
	}

}
