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

package io.github.bloomguard.testsupport;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.GenerationalFilter;
import org.jspecify.annotations.Nullable;

/**
 * Asks on behalf of a test, whose process may have stood still, as on a busy machine: a
 * filter that has trusted what it knows for two seconds can't tell before it has looked
 * again. So it is let look, and asked once more.
 */
record PatientQuestions(Object asked, ManagedFilters filters) implements InvocationHandler {

	private static final Set<String> QUESTIONS = Set.of("mightContain", "membership", "preview", "check", "possible");

	/**
	 * What needs an answer, too: nothing is removed while the server's time is not known.
	 */
	private static final Set<String> NEED_ANSWERS = Set.of("get", "remove");

	static <T> T to(Class<T> type, T asked, ManagedFilters filters) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				new PatientQuestions(asked, filters)));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		boolean question = QUESTIONS.contains(method.getName());
		if (question || NEED_ANSWERS.contains(method.getName())) {
			look(arguments);
		}
		Object answer = answer(method, arguments);
		if (answer instanceof GuardedFilter filter) {
			return to(GuardedFilter.class, filter, this.filters);
		}
		if (!question) {
			return answer;
		}
		return (answer instanceof Answer<?> later) ? askAgain(later, method, arguments)
				: (isUnknown(answer) && look(arguments)) ? answer(method, arguments) : answer;
	}

	@SuppressWarnings("unchecked")
	private <T> Answer<T> askAgain(Answer<T> answer, Method method, Object @Nullable [] arguments) {
		return answer.replaceIf((value) -> isUnknown(value) && look(arguments), () -> {
			try {
				return (Answer<T>) answer(method, arguments);
			}
			catch (Throwable ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	/**
	 * Let the filter read what it trusted too long ago.
	 * @return whether it can tell
	 */
	private boolean look(Object[] arguments) {
		String name = (this.asked instanceof GuardedFilter filter) ? filter.name() : (String) arguments[0];
		ManagedFilter managed = this.filters.find(name);
		if (managed == null || managed.filter().active() == null) {
			return false;
		}
		GenerationalFilter filter = managed.filter();
		return filter.isAnswering() || filter.refresh().join();
	}

	private @Nullable Object answer(Method method, Object @Nullable [] arguments) throws Throwable {
		try {
			return method.invoke(this.asked, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static boolean isUnknown(@Nullable Object answer) {
		if (answer instanceof Candidates candidates) {
			return isUnknown(candidates.verdict());
		}
		return (answer instanceof Decision verdict) ? verdict.membership() == Membership.UNKNOWN
				: answer == Membership.UNKNOWN || Boolean.TRUE.equals(answer);
	}

}
