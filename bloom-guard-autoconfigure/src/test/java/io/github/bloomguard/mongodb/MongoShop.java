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

package io.github.bloomguard.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.bson.types.ObjectId;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoId;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;

/**
 * An application of Spring Data MongoDB: products have ids that the driver generates,
 * accounts and tokens those of the application. There is no real server that needs no
 * installation: this one in memory speaks the protocol of MongoDB.
 */
@Configuration(proxyBeanMethods = false)
class MongoShop {

	static MongoServer startServer() {
		MongoServer server = new MongoServer(new MemoryBackend());
		server.bind();
		return server;
	}

	static GuardApplication start(TestRedis redis, MongoServer server, List<?> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of("test.mongodb=" + server.getConnectionString()));
		filter(all, "products", Product.class);
		filter(all, "skus", Product.class);
		filter(all, "accounts", Account.class);
		filter(all, "tokens", Token.class);
		all.add("bloom-guard.filters.skus.attribute=sku");
		all.addAll(List.of(properties));
		List<Object> with = new ArrayList<>(beans);
		with.add(MongoShop.class);
		return GuardApplication.start(redis, with, all.toArray(String[]::new));
	}

	private static void filter(List<String> properties, String name, Class<?> entity) {
		Map.of("entity", entity.getName(), "expected-insertions", "10000", "rebuild.longest-transaction", "100ms",
				"mirror.enabled", "false", "verification.required-calls", "0", "verification.mode", "off",
				"rebuild.settle", "0s", "warm-up.recheck-empty", "0s")
			.forEach((property, value) -> properties.add("bloom-guard.filters." + name + "." + property + "=" + value));
	}

	@Bean
	MongoClient mongoClient(@Value("${test.mongodb}") String address) {
		return MongoClients.create(address);
	}

	@Bean
	MongoDatabaseFactory mongoDatabaseFactory(MongoClient client) {
		return new SimpleMongoClientDatabaseFactory(client, "shop");
	}

	@Bean
	MongoTemplate mongoTemplate(MongoDatabaseFactory factory) {
		return new MongoTemplate(factory);
	}

	@Bean
	Products productRepository(MongoTemplate template) {
		return new MongoRepositoryFactory(template).getRepository(Products.class);
	}

	@Document("product")
	static class Product {

		@Id
		String id;

		String sku;

		int stock;

		Product(String sku) {
			this.sku = sku;
		}

		static Product withId(String sku) {
			Product product = new Product(sku);
			product.id = new ObjectId().toHexString();
			return product;
		}

	}

	@Document("account")
	record Account(@Id Long number, String owner) {
	}

	@Document("token")
	record Token(@MongoId String text) {
	}

	interface Products extends MongoRepository<Product, String> {

	}

}
