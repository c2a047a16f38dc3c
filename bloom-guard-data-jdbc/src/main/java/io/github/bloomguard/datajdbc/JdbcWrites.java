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

package io.github.bloomguard.datajdbc;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.github.bloomguard.datajdbc.JdbcAdds.Row;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.InsertSubject;

/**
 * Sees each row that Spring Data JDBC writes, where it is written: a template that an
 * application makes by hand calls no callback.
 */
final class JdbcWrites extends StaticMethodMatcherPointcutAdvisor implements MethodInterceptor {

	private static final long serialVersionUID = 1L;

	private static final Set<String> WRITES = Set.of("insert", "upsert", "update", "updateWithVersion");

	private final transient Supplier<JdbcAdds> adds;

	JdbcWrites(Supplier<JdbcAdds> adds) {
		this.adds = adds;
		setAdvice(this);
		setClassFilter((type) -> DataAccessStrategy.class.isAssignableFrom(type) && adds.get().hasKeys());
	}

	@Override
	public boolean matches(Method method, Class<?> type) {
		return WRITES.contains(method.getName());
	}

	@Override
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		Object result;
		try {
			result = call.proceed();
		}
		catch (Throwable ex) {
			if (call.getMethod().getName().equals("insert") && call.getArguments()[0] instanceof List<?> several) {
				try {
					this.adds.get().failed(rows(several, new Object[0]));
				}
				catch (RuntimeException failure) {
					ex.addSuppressed(failure);
				}
			}
			throw ex;
		}
		Object written = Objects.requireNonNull(call.getArguments()[0]);
		List<Row> rows = (written instanceof List<?> several) ? rows(several, (Object[]) Objects.requireNonNull(result))
				: List.of(new Row(written, call.getMethod().getName().equals("insert") ? result : null));
		this.adds.get().write(rows);
		rows.stream().map((row) -> row.aggregate().getClass()).distinct().forEach(this.adds.get()::wrote);
		return result;
	}

	private static List<Row> rows(List<?> subjects, Object[] ids) {
		List<Row> rows = new ArrayList<>();
		for (Object subject : subjects) {
			rows.add(new Row(((InsertSubject<?>) subject).getInstance(),
					(rows.size() < ids.length) ? ids[rows.size()] : null));
		}
		return rows;
	}

}
