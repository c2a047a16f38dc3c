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

package io.github.bloomguard.mongodb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.WriteModel;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.logging.UntoldKeys;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds the keys of documents before a client of MongoDB writes them, whichever template,
 * repository or method of the driver does. A filter is not believed until it was loaded
 * again if a write does not tell its keys.
 */
public final class MongoWrites {

	private final Supplier<List<DocumentKey>> keys;

	private final WrittenFilters filters;

	private final UntoldKeys untold = new UntoldKeys(MongoWrites.class);

	/**
	 * @param entities asked when something is written for the first time
	 */
	public MongoWrites(Supplier<Stream<MongoEntities>> entities, WrittenFilters filters) {
		this.keys = SingletonSupplier.of(() -> entities.get().flatMap(MongoEntities::followed).toList());
		this.filters = filters;
	}

	/**
	 * Return a client whose writes add keys.
	 */
	public MongoClient listenTo(MongoClient client) {
		return (MongoClient) listenTo(MongoClient.class, client);
	}

	private Object listenTo(Class<?> type, Object target) {
		return listenTo(type, target, null);
	}

	private Object listenTo(Class<?> type, Object target, @Nullable String written) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, new Listener(target, written));
	}

	static boolean areHeard(MongoDatabase database) {
		return Proxy.isProxyClass(database.getClass()) && Proxy.getInvocationHandler(database) instanceof Listener;
	}

	private Object write(MongoCollection<?> collection, Method method, Object[] arguments) throws Throwable {
		List<DocumentKey> keys = this.keys.get()
			.stream()
			.filter((key) -> key.collection().equals(collection.getNamespace()))
			.toList();
		if (keys.isEmpty()) {
			return method.invoke(collection, arguments);
		}
		Documents<?> documents = Documents.of(collection);
		Object[] identified = documents.identified(method.getName(), arguments);
		List<? extends WriteModel<?>> written = documents.written(method.getName(), identified);
		Map<DocumentKey, List<DocumentWrite>> writes = new LinkedHashMap<>();
		keys.forEach((key) -> writes.put(key,
				written.stream().map((model) -> DocumentWrite.of(key, documents, model)).toList()));
		writes.forEach(this::before);
		Object result = null;
		try {
			result = method.invoke(collection, identified);
		}
		catch (InvocationTargetException ex) {
			result = ex.getTargetException();
			throw ex;
		}
		finally {
			Object told = result;
			writes.forEach((key, all) -> after(key, all, documents, method, told));
		}
		return result;
	}

	private void before(DocumentKey key, List<DocumentWrite> writes) {
		WrittenFilter filter = this.filters.written(key.filter());
		List<Object> keys = new ArrayList<>(all(writes, DocumentWrite::added));
		if (filter.remembersAbsence()) {
			keys.addAll(all(writes, DocumentWrite::kept));
		}
		if (!keys.isEmpty()) {
			filter.add(keys);
		}
	}

	/**
	 * @param result also why it has failed, so that it may have written
	 */
	private void after(DocumentKey key, List<DocumentWrite> writes, Documents<?> documents, Method method,
			@Nullable Object result) {
		List<Object> removed = all(writes, DocumentWrite::removed);
		if (!removed.isEmpty() && !(result instanceof Throwable)) {
			this.filters.written(key.filter()).removalIfGone().remove(removed);
		}
		if (writes.stream().anyMatch(DocumentWrite::untold) && !WriteResult.isNothing(result)) {
			Optional<List<BsonValue>> ids = key.isId() ? WriteResult.ids(documents, result) : Optional.empty();
			ids.ifPresentOrElse((inserted) -> {
				List<Object> keys = inserted.stream().flatMap(DocumentKey::keys).toList();
				if (!keys.isEmpty()) {
					this.filters.written(key.filter()).add(keys);
				}
			}, () -> mistrust(key, method.getName()));
		}
	}

	private static List<Object> all(List<DocumentWrite> writes, Function<DocumentWrite, List<Object>> keys) {
		return writes.stream().map(keys).flatMap(List::stream).toList();
	}

	private void mistrust(String written, String method) {
		this.keys.get()
			.stream()
			.filter((key) -> written.contains(key.collection().getCollectionName()))
			.forEach((key) -> mistrust(key, method));
	}

	private void mistrust(DocumentKey key, String method) {
		String reason = method + " writes " + key.field() + " of " + key.collection() + " without telling the values";
		this.untold.warn(key.filter(), reason, "insert or save whole documents, or name the values by $set");
		this.filters.written(key.filter()).mistrust(reason);
	}

	/**
	 * Stands before a client and what it gives out.
	 */
	private final class Listener implements InvocationHandler {

		private final Object target;

		private final @Nullable String written;

		/**
		 * @param written the text of what is written when results are read, {@code null}
		 * if that is nothing
		 */
		Listener(Object target, @Nullable String written) {
			this.target = target;
			this.written = written;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
			if (ReflectionUtils.isEqualsMethod(method)) {
				return arguments != null && proxy == arguments[0];
			}
			String indirect = (this.written != null) ? this.written
					: IndirectWrites.of(this.target, method.getName(), arguments);
			boolean later = indirect != null && MongoIterable.class.isAssignableFrom(method.getReturnType());
			try {
				Object result = (arguments != null && this.target instanceof MongoCollection<?> collection
						&& Documents.areWritten(method.getName())) ? write(collection, method, arguments)
								: method.invoke(this.target, arguments);
				if (this.target instanceof MongoCluster && method.getName().equals("bulkWrite")) {
					MongoWrites.this.keys.get().forEach((key) -> mistrust(key, "MongoClient.bulkWrite"));
				}
				return (later || isListenedTo(method.getReturnType()))
						? listenTo(method.getReturnType(), result, indirect) : result;
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
			finally {
				if (indirect != null && !later) {
					mistrust(indirect, method.getName());
				}
			}
		}

		private static boolean isListenedTo(Class<?> type) {
			return type == MongoDatabase.class || type == MongoCollection.class || type == MongoCluster.class;
		}

	}

}
