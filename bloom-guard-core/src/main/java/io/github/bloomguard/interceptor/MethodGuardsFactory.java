package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.util.function.SingletonSupplier;

/**
 * Makes what is done around a method of its annotations.
 */
final class MethodGuardsFactory {

	private static final int SCOPE_BYTES = 16;

	private final OperationParser parser;

	private final Supplier<? extends GuardedFilters> filters;

	private final Supplier<? extends @Nullable CacheOperationSource> cacheOperations;

	private final Map<String, Set<AnnotatedMethod>> guarded = new ConcurrentHashMap<>();

	MethodGuardsFactory(OperationParser parser, Supplier<? extends GuardedFilters> filters,
			Supplier<? extends @Nullable CacheOperationSource> cacheOperations) {
		this.parser = parser;
		this.filters = filters;
		this.cacheOperations = cacheOperations;
	}

	/**
	 * Make what is done around a method.
	 * @param annotations its annotations
	 * @param method the method of the target class
	 * @param targetClass the class of the bean
	 */
	MethodGuards create(GuardAnnotations annotations, Method method, Class<?> targetClass) {
		AnnotatedMethod annotated = new AnnotatedMethod(method, targetClass);
		return new MethodGuards(read(annotations, annotated), added(annotations, annotated));
	}

	private @Nullable ReadGuard read(GuardAnnotations annotations, AnnotatedMethod method) {
		if (annotations.guarded().isEmpty()) {
			return null;
		}
		boolean single = annotations.guarded().size() == 1;
		List<Gate> gates = annotations.guarded()
			.stream()
			.map((annotation) -> this.parser.parse(annotation, method))
			.peek((operation) -> note(operation.filter(), method))
			.map((operation) -> Gate.of(operation, filter(operation, method, single)))
			.toList();
		return ReadGuard.of(new Declaration(BloomGuarded.class, method), gates);
	}

	private @Nullable AddingMethod added(GuardAnnotations annotations, AnnotatedMethod method) {
		if (annotations.added().isEmpty()) {
			return null;
		}
		List<KeyAdder> adders = annotations.added()
			.stream()
			.map((annotation) -> this.parser.parse(annotation, method))
			.map((operation) -> new KeyAdder(operation, filter(operation.filter())))
			.toList();
		return new AddingMethod(new Declaration(BloomAdd.class, method), adders);
	}

	private Supplier<GuardedFilter> filter(String name) {
		return SingletonSupplier.of(() -> this.filters.get().get(name));
	}

	/**
	 * A method has empty sentinels if finding nothing means that the key is not there: it
	 * asks one filter, its only argument is the key, and it returns one thing rather than
	 * many. An {@code emptyTtl} says that this holds although it doesn't look so. Where
	 * nothing is an exception, that goes for a cache as well, which does not remember it.
	 */
	private Supplier<GuardedFilter> filter(GuardOperation operation, AnnotatedMethod method, boolean single) {
		return SingletonSupplier.of(() -> {
			GuardedFilter filter = this.filters.get().get(operation.filter());
			Duration emptyTtl = operation.emptyTtl();
			if (!single || (isCacheable(method) && (emptyTtl == null || operation.missing() == null))
					|| (emptyTtl == null && !isAboutTheKeyOnly(operation, method))) {
				return filter.withEmptyTtl(Duration.ZERO);
			}
			GuardedFilter scoped = filter.scopedTo(scope(method));
			return (emptyTtl != null) ? scoped.withEmptyTtl(emptyTtl) : scoped;
		});
	}

	private static boolean isAboutTheKeyOnly(GuardOperation operation, AnnotatedMethod method) {
		return operation.key() != null && operation.key().isArgument() && method.parameterCount() == 1
				&& ReturnTypes.isSingle(method.returnType());
	}

	/**
	 * A name that is short, because it is kept with each sentinel, and that no other
	 * method has: that would answer for this one.
	 */
	private static String scope(AnnotatedMethod method) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256")
				.digest(method.identity().getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, SCOPE_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java has SHA-256", ex);
		}
	}

	private void note(String filter, AnnotatedMethod method) {
		this.guarded.computeIfAbsent(filter, (name) -> ConcurrentHashMap.newKeySet()).add(method);
	}

	/**
	 * Return the names of the caches of the methods that a filter guards, of those that
	 * have been read.
	 */
	Set<String> caches(String filter) {
		return this.guarded.getOrDefault(filter, Set.of())
			.stream()
			.flatMap((method) -> cacheOperations(method).stream())
			.filter(CacheableOperation.class::isInstance)
			.flatMap((operation) -> operation.getCacheNames().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private boolean isCacheable(AnnotatedMethod method) {
		return cacheOperations(method).stream().anyMatch(CacheableOperation.class::isInstance);
	}

	private Collection<CacheOperation> cacheOperations(AnnotatedMethod method) {
		CacheOperationSource source = this.cacheOperations.get();
		Collection<CacheOperation> operations = (source != null)
				? source.getCacheOperations(method.method(), method.targetClass()) : null;
		return (operations != null) ? operations : List.of();
	}

}
