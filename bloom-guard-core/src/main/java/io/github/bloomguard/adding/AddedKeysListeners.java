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

package io.github.bloomguard.adding;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * All that keep elsewhere which keys of one filter were not found. Its sentinels are not
 * among them: an add forgets those in the step that makes the key known.
 */
public final class AddedKeysListeners {

	private final String filter;

	private final KeyFormat format;

	private final Supplier<List<AddedKeysListener>> listeners;

	private volatile boolean knownToBeNone;

	/**
	 * @param all called when the first key is added, so that they need not exist yet
	 */
	public AddedKeysListeners(String filter, KeyFormat format, Supplier<? extends List<AddedKeysListener>> all) {
		this.filter = filter;
		this.format = format;
		this.listeners = SingletonSupplier
			.of(() -> all.get().stream().filter((listener) -> listener.supports(filter)).toList());
	}

	/**
	 * Return whether there are none, as far as that is known without making any: a call
	 * may be one of a bean that is still being made.
	 */
	public boolean areNone() {
		return this.knownToBeNone;
	}

	/**
	 * Tell all of them, also if one fails: of keys that were added, or of one that is
	 * about to be looked up anew, which may hide what another program has written.
	 * @throws KeyNotAddedException if one has failed
	 */
	public void tell(Collection<?> keys) {
		Map<String, Object> byForm = new LinkedHashMap<>();
		keys.forEach((key) -> byForm.put(this.format.format(key), key));
		tell(byForm);
	}

	/**
	 * Tell all of them, as {@link #tell(Collection)}, of keys by their form.
	 */
	void tell(Map<String, Object> keys) {
		tell(keys, (listener, written) -> listener.onKeysAdded(this.filter, written));
	}

	/**
	 * Tell all of them once more of keys, by their form, whose rows can be seen now.
	 * @throws KeyNotAddedException if one has failed
	 */
	void tellCommitted(Map<String, Object> keys) {
		tell(keys, (listener, written) -> listener.onKeysCommitted(this.filter, written));
	}

	private void tell(Map<String, Object> keys, BiConsumer<AddedKeysListener, List<Object>> call) {
		List<AddedKeysListener> listeners = this.listeners.get();
		if (listeners.isEmpty()) {
			this.knownToBeNone = true;
			return;
		}
		// each as it is, and by the only text by which guarded caches remember one as not
		// found: all that are equal to it have that in common
		List<Object> written = keys.entrySet()
			.stream()
			.flatMap((key) -> Stream.of(key.getValue(), together(texts(key.getValue(), key.getKey()))))
			.toList();
		KeyNotAddedException failure = null;
		for (AddedKeysListener listener : listeners) {
			try {
				call.accept(listener, written);
			}
			catch (Exception ex) {
				Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
				failure = (failure != null) ? failure : new KeyNotAddedException(this.filter, listener, cause);
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Return the texts of the parts of a key under which alone a cache may remember it.
	 */
	public List<@Nullable String> texts(Object key, String form) {
		return this.format.partForms(key, form)
			.stream()
			.<@Nullable String>map((part) -> (part != null) ? KeyWriter.withoutBlanks(KeySpellings.joined(part)) : null)
			.toList();
	}

	public static Object together(List<@Nullable String> texts) {
		return Objects.<Object>requireNonNullElse((texts.size() == 1) ? texts.get(0) : null, texts);
	}

}
