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

package io.github.bloomguard.sample;

import java.math.BigDecimal;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of products. The filter {@code products} is one of this entity, so
 * it knows each row that is inserted through it.
 */
@Entity
@Table(name = "product")
class ProductEntity {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	private String name;

	private BigDecimal price;

	@SuppressWarnings("NullAway.Init") // Hibernate sets the fields
	protected ProductEntity() {
	}

	ProductEntity(String name, BigDecimal price) {
		this.name = name;
		this.price = price;
	}

	Product toProduct() {
		if (this.id == null) {
			throw new IllegalStateException("The product has not been inserted");
		}
		return new Product(this.id, this.name, this.price);
	}

}
