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

package io.github.bloomguard.compatibility.catalogue;

import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;

import org.springframework.stereotype.Component;

/**
 * The ids of all products, and of some that are gone.
 */
@Component
public class CatalogueKeys implements KeySource {

	/**
	 * The highest id of a product.
	 */
	public static final int PRODUCTS = 1000;

	/**
	 * The highest id in the filter.
	 */
	public static final int KEYS = 1100;

	@Override
	public String filter() {
		return "products";
	}

	@Override
	public Stream<?> keys() {
		return LongStream.rangeClosed(1, KEYS).boxed();
	}

}
