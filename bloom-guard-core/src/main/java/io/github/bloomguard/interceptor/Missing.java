package io.github.bloomguard.interceptor;

import java.lang.reflect.Constructor;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;

/**
 * The exception that means that nothing was found.
 */
final class Missing {

	private final Constructor<? extends RuntimeException> constructor;

	private final Object[] arguments;

	private Missing(Constructor<? extends RuntimeException> constructor, Object... arguments) {
		this.constructor = constructor;
		this.arguments = arguments;
	}

	/**
	 * Return how an exception is made, having made one, or {@code null} if none is named.
	 * @param declaration what names it
	 * @param type its type
	 * @param filter the name of the filter
	 */
	static @Nullable Missing of(Declaration declaration, Class<? extends RuntimeException> type, String filter) {
		if (type == BloomGuarded.NoException.class) {
			return null;
		}
		if (type == RuntimeException.class) {
			throw declaration.invalid("missing", type.getName(), "takes each failure for a row that is missing",
					"name an exception that is thrown for nothing else", null);
		}
		try {
			Missing missing = find(type, "Not found (filter '" + filter + "')");
			missing.exception();
			return missing;
		}
		catch (NoSuchMethodException | BeanInstantiationException ex) {
			throw declaration.invalid("missing", type.getName(), "names an exception that the guard can't make",
					"name one that is not abstract and has a constructor with a String, the message, or one without"
							+ " parameters",
					ex);
		}
	}

	private static Missing find(Class<? extends RuntimeException> type, String message) throws NoSuchMethodException {
		try {
			return new Missing(type.getDeclaredConstructor(String.class), message);
		}
		catch (NoSuchMethodException ex) {
			return new Missing(type.getDeclaredConstructor());
		}
	}

	/**
	 * Return a new exception.
	 */
	RuntimeException exception() {
		return BeanUtils.instantiateClass(this.constructor, this.arguments);
	}

	/**
	 * Tell whether a method has failed because it has found nothing.
	 */
	boolean isCauseOf(Throwable failure) {
		Throwable cause = failure.getCause();
		return this.constructor.getDeclaringClass()
			.isInstance((failure instanceof CompletionException && cause != null) ? cause : failure);
	}

}
