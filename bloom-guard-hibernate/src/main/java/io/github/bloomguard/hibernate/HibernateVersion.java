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
package io.github.bloomguard.hibernate;

import java.util.List;
import java.util.ServiceLoader;

import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.AbstractEvent;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.jspecify.annotations.Nullable;

/**
 * What versions of Hibernate call otherwise. A service is used where there is one, else
 * that of the version that the guard is compiled with.
 */
public interface HibernateVersion {

	/**
	 * The version in use.
	 */
	HibernateVersion CURRENT = ServiceLoader.load(HibernateVersion.class, HibernateVersion.class.getClassLoader())
		.findFirst()
		.orElseGet(Hibernate7::new);

	/**
	 * Return the session that writes a row, {@code null} if that is not told, as of a
	 * {@code StatelessSession} before Hibernate 7.
	 */
	@Nullable SharedSessionContractImplementor session(AbstractEvent event);

	/**
	 * Return all tables of an entity, also those that it does not write.
	 */
	List<EntityTableMapping> tables(EntityPersister entity);

}
