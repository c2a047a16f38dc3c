package io.github.bloomguard.backend.redis.module;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.backend.redis.ElementWrites;
import io.github.bloomguard.filter.FilterSpecification;

/**
 * Writes elements to filters of the server, which computes their places itself.
 */
final class ModuleWrites implements ElementWrites {

	private final FilterKind kind;

	ModuleWrites(FilterKind kind) {
		this.kind = kind;
	}

	@Override
	public String functions() {
		return new ModuleScripts(this.kind).functions();
	}

	@Override
	public Optional<List<Object>> arguments(String name, FilterSpecification specification,
			Collection<String> elements) {
		return Optional.of(arguments(SealElements.of(name, this.kind.sizes().apply(specification)), elements));
	}

	static List<Object> arguments(SealElements seal, Collection<String> elements) {
		List<Object> arguments = new ArrayList<>();
		arguments.add(String.valueOf(seal.loading().size()));
		arguments.addAll(seal.loading());
		for (String element : new LinkedHashSet<>(elements)) {
			arguments.add(element.getBytes(StandardCharsets.UTF_8));
		}
		arguments.add(0, String.valueOf(arguments.size()));
		return arguments;
	}

	@Override
	public String trials() {
		return this.kind.trials();
	}

}
