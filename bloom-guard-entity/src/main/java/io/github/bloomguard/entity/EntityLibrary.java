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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * A library that maps entities, which are known by their annotation, also where it is not
 * on the class path. Each module names its own in {@code META-INF/spring.factories}.
 */
public abstract class EntityLibrary {

	/**
	 * Stands for all of them where the starter's dependencies are named one by one.
	 */
	private static final EntityLibrary NO_MODULE = new EntityLibrary("module of bloom-guard that maps entities", "", "",
			"the one of its library, such as bloom-guard-hibernate", null) {
	};

	private final String description;

	private final String annotation;

	private final String type;

	private final String starter;

	private final @Nullable String reactive;

	/**
	 * @param reactive the type of what may write entities of the annotation in its place,
	 * and tells of none
	 */
	protected EntityLibrary(String description, String annotation, String type, String starter,
			@Nullable String reactive) {
		this.description = description;
		this.annotation = annotation;
		this.type = type;
		this.starter = starter;
		this.reactive = reactive;
	}

	public static Optional<EntityLibrary> of(String entity) {
		try {
			AnnotationMetadata annotations = new SimpleMetadataReaderFactory().getMetadataReader(entity)
				.getAnnotationMetadata();
			return all().filter((library) -> annotations.hasAnnotation(library.annotation)).findFirst();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return those of which none is there, in a sentence.
	 */
	public static String descriptions() {
		return all().map(EntityLibrary::toString).collect(Collectors.joining(", no "));
	}

	/**
	 * Return what to do without any of them.
	 */
	public static String remedies() {
		return remedy(all().map((library) -> library.starter).collect(Collectors.joining(" or ")));
	}

	private static Stream<EntityLibrary> all() {
		List<EntityLibrary> all = SpringFactoriesLoader.loadFactories(EntityLibrary.class,
				EntityLibrary.class.getClassLoader());
		return all.isEmpty() ? Stream.of(NO_MODULE) : all.stream();
	}

	private static String remedy(String starter) {
		return "Add " + starter + ", or remove the entity, and set table or warm-up.query or declare a KeySource bean";
	}

	public boolean isPresent() {
		return ClassUtils.isPresent(this.type, null);
	}

	/**
	 * Return what to do without it.
	 */
	public String remedy() {
		return (this.reactive != null && ClassUtils.isPresent(this.reactive, null))
				? "Remove the entity, set table or declare a KeySource bean, and use @BloomAdd" : remedy(this.starter);
	}

	@Override
	public String toString() {
		return this.description;
	}

}
