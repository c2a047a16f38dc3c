package io.github.bloomguard.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * What is done around one method.
 *
 * @param read what is done before it is called, if anything
 * @param added what is done after it has returned, if anything
 */
record MethodGuards(@Nullable ReadGuard read, @Nullable AddingMethod added) {

	static final MethodGuards NONE = new MethodGuards(null, null);

}
