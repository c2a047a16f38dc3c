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

package io.github.bloomguard.entity;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

import org.hibernate.event.service.spi.EventListenerGroup;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.persister.entity.EntityPersister;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

final class RowDeletion {

	/**
	 * Named, because only later versions of Hibernate have it.
	 */
	private static final String TEMPORAL = "org.hibernate.annotations.Temporal";

	private RowDeletion() {
	}

	/**
	 * Return whether a row is gone for every mapping of its table. A soft delete leaves
	 * it, custom SQL may do anything, and a listener may have prevented it.
	 */
	static boolean isPhysical(PostDeleteEvent event) {
		EntityPersister entity = event.getPersister();
		return entity.getSoftDeleteMapping() == null && !hasCustomSql(entity) && !isTemporal(entity)
				&& !mayBeVetoed(event.getFactory().getEventListenerGroups().eventListenerGroup_PRE_DELETE);
	}

	private static boolean hasCustomSql(EntityPersister entity) {
		return Arrays.stream(entity.getTableMappings())
			.anyMatch((table) -> table.getDeleteDetails().getCustomSql() != null);
	}

	static boolean isTemporal(EntityPersister entity) {
		return MergedAnnotations.from(entity.getMappedClass(), SearchStrategy.TYPE_HIERARCHY).isPresent(TEMPORAL);
	}

	/**
	 * Return whether the application listens: Hibernate does not tell the vetoes of its
	 * listeners. Hibernate's own only validate.
	 */
	private static boolean mayBeVetoed(EventListenerGroup<PreDeleteEventListener> listeners) {
		AtomicBoolean others = new AtomicBoolean();
		listeners.fireEventOnEachListener(others, (listener, found) -> {
			if (!listener.getClass().getName().startsWith("org.hibernate.")) {
				found.set(true);
			}
		});
		return others.get();
	}

}
