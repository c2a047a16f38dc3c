package io.github.bloomguard.autoconfigure;

import java.util.stream.Stream;

import io.github.bloomguard.entity.MappedEntities;

/**
 * Gives the mappings of one kind, such as all persistence units.
 */
@FunctionalInterface
interface EntityMappings {

	Stream<MappedEntities> all();

}
