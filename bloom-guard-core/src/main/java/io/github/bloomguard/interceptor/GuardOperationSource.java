package io.github.bloomguard.interceptor;

import java.io.Closeable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.aopalliance.intercept.MethodInvocation;
import io.github.bloomguard.call.GuardedFilters;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds what the annotations of a method ask for. They are looked for where
 * {@code @Cacheable} is: on the method of the target class, on that class, on the method
 * of the interface, on that interface.
 * <p>
 * All methods of a class are read when its proxy is made, and an annotation that can't
 * work is refused by an {@link InvalidGuardException} then, be it for what it says or for
 * where it stands.
 *
 * @since 0.1.0
 */
public final class GuardOperationSource {

	private static final Set<Class<?>> CALLBACKS = Set.of(InitializingBean.class, DisposableBean.class, Closeable.class,
			AutoCloseable.class);

	private final MethodGuardsFactory factory;

	private final Map<MethodClassKey, MethodGuards> guards = new ConcurrentHashMap<>();

	private final Map<Class<?>, Boolean> annotatedClasses = new ConcurrentHashMap<>();

	private final Set<ProxiedBean> checked = ConcurrentHashMap.newKeySet();

	/**
	 * Create a source.
	 * @param beanFactory resolves the placeholders and the beans that annotations name
	 * @param filters gives the filters; not asked before a method is called
	 * @param filterNames gives the names of the configured filters
	 * @param cacheOperations tells which methods are {@code @Cacheable}, and therefore
	 * need no empty sentinels; may give {@code null}, and is not asked before a method is
	 * called
	 */
	public GuardOperationSource(ConfigurableBeanFactory beanFactory, Supplier<? extends GuardedFilters> filters,
			Supplier<? extends Collection<String>> filterNames,
			Supplier<? extends @Nullable CacheOperationSource> cacheOperations) {
		OperationParser parser = new OperationParser(new FilterNames(filterNames),
				new GuardExpressionParser(beanFactory), new EmbeddedValueResolver(beanFactory));
		this.factory = new MethodGuardsFactory(parser, filters, cacheOperations);
	}

	/**
	 * Return the names of the caches of the {@code @Cacheable} methods that a filter
	 * guards. Not to be asked before all beans have been made.
	 * @param filter the name of the filter
	 * @return the names, as far as annotations tell them
	 */
	public Set<String> caches(String filter) {
		return this.factory.caches(filter);
	}

	/**
	 * Tell whether there are annotated methods, having read all of them.
	 */
	boolean hasAnnotatedMethods(Class<?> targetClass) {
		Boolean found = this.annotatedClasses.get(targetClass);
		if (found == null) {
			List<Method> methods = AnnotationUtils.isCandidateClass(targetClass, GuardAnnotations.TYPES)
					? annotatedMethods(targetClass) : List.of();
			found = !methods.isEmpty();
			if (found && !ProxiedBean.isPossible(targetClass, methods)) {
				throw declaration(methods.get(0), targetClass).invalid(
						"is on a method of a final class and of no interface, so no proxy can intercept it",
						ProxiedBean.NOT_FINAL + "; a record or an enum needs an interface");
			}
			this.annotatedClasses.put(targetClass, found);
		}
		return found;
	}

	/**
	 * Refuse annotations on methods that a proxy does not intercept.
	 */
	void check(ProxiedBean bean) {
		Class<?> targetClass = bean.target();
		if (!Proxy.isProxyClass(targetClass) && !this.checked.contains(bean)) {
			for (Method method : annotatedMethods(targetClass)) {
				bean.check(declaration(method, targetClass), AopUtils.getMostSpecificMethod(method, targetClass));
			}
			this.checked.add(bean);
		}
	}

	private List<Method> annotatedMethods(Class<?> targetClass) {
		return types(targetClass).stream()
			.flatMap((type) -> Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)))
			.filter((method) -> find(method, targetClass) != MethodGuards.NONE)
			.toList();
	}

	private Declaration declaration(Method method, Class<?> targetClass) {
		return new Declaration((find(method, targetClass).read() != null) ? BloomGuarded.class : BloomAdd.class,
				new AnnotatedMethod(AopUtils.getMostSpecificMethod(method, targetClass), targetClass));
	}

	private static Set<Class<?>> types(Class<?> targetClass) {
		Set<Class<?>> types = new LinkedHashSet<>();
		if (!Proxy.isProxyClass(targetClass)) {
			types.add(ClassUtils.getUserClass(targetClass));
		}
		types.addAll(ClassUtils.getAllInterfacesForClassAsSet(targetClass));
		return types;
	}

	/**
	 * Return what is done around the method of a call.
	 */
	MethodGuards find(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Method method = invocation.getMethod();
		return find(method, (target != null) ? target.getClass() : method.getDeclaringClass());
	}

	/**
	 * Return what is done around a method.
	 * @param method the method, possibly of an interface
	 * @param targetClass the class of the bean
	 */
	MethodGuards find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		MethodGuards found = this.guards.get(key);
		if (found == null) {
			found = read(method, targetClass);
			if (found != MethodGuards.NONE) {
				MethodGuards earlier = this.guards.putIfAbsent(key, found);
				found = (earlier != null) ? earlier : found;
			}
		}
		return found;
	}

	private MethodGuards read(Method method, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method)) {
			return MethodGuards.NONE;
		}
		Method specific = Proxy.isProxyClass(targetClass) ? method
				: AopUtils.getMostSpecificMethod(method, targetClass);
		if (!ClassUtils.isUserLevelMethod(specific)) {
			return MethodGuards.NONE; // Kotlin copies annotations to methods that it adds
		}
		for (Method candidate : (specific != method) ? List.of(specific, method) : List.of(method)) {
			GuardAnnotations annotations = GuardAnnotations.of(candidate);
			if (!annotations.isEmpty()) {
				checkReachable(annotations, specific, targetClass);
				return this.factory.create(annotations, specific, targetClass);
			}
			annotations = GuardAnnotations.of(candidate.getDeclaringClass());
			if (!annotations.isEmpty() && isReachable(specific) && !isConfigurationCallback(specific, targetClass)) {
				return this.factory.create(annotations, specific, targetClass);
			}
		}
		return MethodGuards.NONE;
	}

	private static void checkReachable(GuardAnnotations annotations, Method method, Class<?> targetClass) {
		if (!isReachable(method)) {
			throw new Declaration(annotations.guarded().isEmpty() ? BloomAdd.class : BloomGuarded.class,
					new AnnotatedMethod(method, targetClass))
				.invalid("is on a private or static method, which no proxy can intercept",
						"annotate a method that other beans call");
		}
	}

	private static boolean isReachable(Method method) {
		return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

	/**
	 * Tell whether an annotation on the class does not mean a method, because the
	 * container calls it.
	 */
	private static boolean isConfigurationCallback(Method method, Class<?> targetClass) {
		return ClassUtils.getAllInterfacesForClassAsSet(targetClass)
			.stream()
			.filter((type) -> CALLBACKS.contains(type) || Aware.class.isAssignableFrom(type))
			.anyMatch((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
	}

}
