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

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * A library that maps entities, which are known by their annotation, also where it is not
 * on the class path.
 */
enum EntityLibrary {

	HIBERNATE("persistence unit of Hibernate", "jakarta.persistence.Entity", "org.hibernate.SessionFactory",
			"spring-boot-starter-data-jpa", null),

	SPRING_DATA_JDBC("Spring Data JDBC", "org.springframework.data.relational.core.mapping.Table",
			"org.springframework.data.jdbc.core.JdbcAggregateTemplate", "spring-boot-starter-data-jdbc",
			"io.r2dbc.spi.ConnectionFactory"),

	SPRING_DATA_MONGODB("Spring Data MongoDB", "org.springframework.data.mongodb.core.mapping.Document",
			"com.mongodb.client.MongoClient", "spring-boot-starter-data-mongodb",
			"com.mongodb.reactivestreams.client.MongoClient"),

	MYBATIS_PLUS("MyBatis-Plus", "com.baomidou.mybatisplus.annotation.TableName",
			"com.baomidou.mybatisplus.core.mapper.BaseMapper",
			"mybatis-plus-spring-boot" + SpringBootVersion.getVersion().charAt(0) + "-starter", null);

	private final String description;

	private final String annotation;

	private final String type;

	private final String starter;

	private final @Nullable String reactive;

	/**
	 * @param reactive the type of what may write entities of the annotation in its place,
	 * and tells of none
	 */
	EntityLibrary(String description, String annotation, String type, String starter, @Nullable String reactive) {
		this.description = description;
		this.annotation = annotation;
		this.type = type;
		this.starter = starter;
		this.reactive = reactive;
	}

	static Optional<EntityLibrary> of(String entity) {
		try {
			AnnotationMetadata annotations = new SimpleMetadataReaderFactory().getMetadataReader(entity)
				.getAnnotationMetadata();
			return Arrays.stream(values())
				.filter((library) -> annotations.hasAnnotation(library.annotation))
				.findFirst();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return those of which none is there, in a sentence.
	 */
	static String descriptions() {
		return Arrays.stream(values()).map(EntityLibrary::toString).collect(Collectors.joining(", no "));
	}

	/**
	 * Return what to do without any of them.
	 */
	static String remedies() {
		return remedy(Arrays.stream(values()).map((library) -> library.starter).collect(Collectors.joining(" or ")));
	}

	private static String remedy(String starter) {
		return "Add " + starter + ", or remove the entity, and set table or warm-up.query or declare a KeySource bean";
	}

	boolean isPresent() {
		return ClassUtils.isPresent(this.type, null);
	}

	/**
	 * Return what to do without it.
	 */
	String remedy() {
		return (this.reactive != null && ClassUtils.isPresent(this.reactive, null))
				? "Remove the entity, set table or declare a KeySource bean, and use @BloomAdd" : remedy(this.starter);
	}

	@Override
	public String toString() {
		return this.description;
	}

}
