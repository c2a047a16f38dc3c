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

package io.github.bloomguard.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.advisor.KnownFilters;
import io.github.bloomguard.advisor.LookUp;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.MappedEntities;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ClassUtils;

/**
 * The filters that are configured, and the sources that new ones could have.
 */
record SuggestedFilters(BloomGuardProperties properties,
		ObjectProvider<EntityMappings> mappings) implements KnownFilters {

	private static final String UNNAMED = "suggested";

	@Override
	public @Nullable FilterMode mode(String filter) {
		BloomGuardProperties.Filter configured = this.properties.filters().get(filter);
		return (configured != null) ? configured.mode() : null;
	}

	@Override
	public double falsePositiveProbability() {
		return new Binder(new MapConfigurationPropertySource(Map.of()))
			.bindOrCreate("filter", BloomGuardProperties.Filter.class)
			.falsePositiveProbability();
	}

	/**
	 * Suggest the entity that a method returns, if its only key is the id or an
	 * attribute.
	 */
	@Override
	public Map<String, String> suggestSource(LookUp lookUp) {
		String entity = lookUp.resultType().getName();
		if (lookUp.parameters().size() != 1) {
			return Map.of();
		}
		return this.mappings.orderedStream()
			.flatMap(EntityMappings::all)
			.filter((mapping) -> mapping.names().contains(entity))
			.findFirst()
			.map((mapping) -> keys(mapping, entity, lookUp))
			.orElse(Map.of());
	}

	private static Map<String, String> keys(MappedEntities mapping, String entity, LookUp lookUp) {
		String name = lookUp.names().get(0);
		if (isId(lookUp, name) && isKey(mapping, new EntityKeys(UNNAMED, entity, null), lookUp)) {
			return Map.of("entity", entity);
		}
		if (isKey(mapping, new EntityKeys(UNNAMED, entity, name), lookUp)) {
			Map<String, String> properties = new LinkedHashMap<>();
			properties.put("entity", entity);
			properties.put("attribute", name);
			return properties;
		}
		return Map.of();
	}

	private static boolean isId(LookUp lookUp, String name) {
		return name.equalsIgnoreCase("id") || name.equalsIgnoreCase(lookUp.resultType().getSimpleName() + "Id")
				|| lookUp.method().name().endsWith("ById");
	}

	private static boolean isKey(MappedEntities mapping, EntityKeys keys, LookUp lookUp) {
		try {
			return ClassUtils.resolvePrimitiveIfNecessary(mapping.type(keys)) == lookUp.keyType(0);
		}
		catch (InvalidGuardException ex) {
			return false;
		}
	}

}
