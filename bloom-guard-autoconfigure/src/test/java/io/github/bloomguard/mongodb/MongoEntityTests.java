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

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import de.bwaldvogel.mongo.MongoServer;
import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.mongodb.MongoShop.Account;
import io.github.bloomguard.mongodb.MongoShop.Product;
import io.github.bloomguard.mongodb.MongoShop.Products;
import io.github.bloomguard.mongodb.MongoShop.Token;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.FindAndReplaceOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.aggregation.Aggregation;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for filters of documents of Spring Data MongoDB: those that one instance writes
 * are found by another one.
 */
@Tag("slow")
class MongoEntityTests {

	private static final List<String> FILTERS = List.of("products", "skus", "accounts", "tokens");

	private static final MongoServer server = MongoShop.startServer();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("skus", "accounts", "tokens");

	/**
	 * Keys of documents that could be seen before they were added.
	 */
	private static final Set<String> late = ConcurrentHashMap.newKeySet();

	@AutoClose
	private static GuardApplication reader;

	@AutoClose
	private static GuardApplication writer;

	private static MongoTemplate template;

	@BeforeAll
	static void startInstances() {
		try (MongoClient elsewhere = MongoClients.create(server.getConnectionString())) {
			MongoDatabase shop = elsewhere.getDatabase("shop");
			shop.getCollection("product").insertMany(documents((i) -> new Document("sku", "old " + i)));
			shop.getCollection("account")
				.insertMany(documents((i) -> new Document("_id", (i % 2 == 0) ? i : (long) i)));
			shop.getCollection("account")
				.insertMany(LongStream.range(2000, 2005).mapToObj((i) -> new Document("_id", i)).toList());
			shop.getCollection("token").insertOne(new Document("_id", "Old"));
		}
		reader = MongoShop.start(redis, server, List.of());
		writer = MongoShop.start(redis, server, List.of(new LateKeys()));
		template = writer.bean(MongoTemplate.class);
		awaitReady();
	}

	private static List<Document> documents(IntFunction<Document> document) {
		return IntStream.range(0, 1000).mapToObj(document).toList();
	}

	@AfterAll
	static void stopServer() {
		server.shutdown();
	}

	@Test
	void documentsAreLoaded() {
		template.getCollection("product").find().limit(1000).forEach((document) -> {
			assertFound("products", document.getObjectId("_id"));
			assertFound("skus", document.getString("sku"));
		});
		for (int i = 0; i < 1000; i++) {
			assertFound("accounts", i);
		}
		assertFound("tokens", "Old");
		assertThat(reader.guard().membership("tokens", "old")).isEqualTo(Membership.ABSENT);
		assertAbsentIsTold();
	}

	@Test
	void objectIdAndItsTextInAnyCaseAreOneKey() {
		Product product = template.insert(new Product("one key"));
		for (Object key : List.of(new ObjectId(product.id), product.id, product.id.toUpperCase(Locale.ROOT))) {
			assertFound("products", key);
		}
		ObjectId absent = new ObjectId();
		for (Object key : List.of(absent, absent.toHexString(), absent.toHexString().toUpperCase(Locale.ROOT))) {
			assertThat(reader.guard().membership("products", key)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void sourceIsAskedForKeysOfEachType() {
		template.insert(new Account(-7L, "asked"));
		template.insert(new Token("asked"));
		Product product = template.insert(new Product("asked"));
		assertLookedUp(Account.class, null, true, -7, -7L, "-7", -7.0);
		assertLookedUp(Account.class, null, false, -8, "-8");
		assertLookedUp(Account.class, null, null, "x7", " -7");
		assertLookedUp(Token.class, null, true, "asked");
		assertLookedUp(Token.class, null, false, "Asked");
		assertLookedUp(Product.class, "sku", true, "asked");
		assertLookedUp(Product.class, "sku", false, "nothing");
		assertLookedUp(Product.class, null, true, new ObjectId(product.id), product.id,
				product.id.toUpperCase(Locale.ROOT));
		assertLookedUp(Product.class, null, false, new ObjectId(), "no id");
	}

	@Test
	void manyKeysAreLookedUpTogetherAndEachIsToldInItsPlace() {
		template.insert(new Account(-70L, "together"));
		template.insert(new Token("together"));
		Product product = template.insert(new Product("together"));
		assertLookedUpTogether(Account.class, null, Arrays.asList(-71L, -70L, "-70", "x7", -70, -72), false, true, true,
				null, true, false);
		assertLookedUpTogether(Token.class, null, List.of("Together", "together", "it's none", "together"), false, true,
				false, true);
		assertLookedUpTogether(Product.class, "sku", List.of("together", "nothing"), true, false);
		assertLookedUpTogether(Product.class, null,
				List.of(new ObjectId(), new ObjectId(product.id), product.id, "no id"), false, true, true, false);
		assertLookedUpTogether(Account.class, null, List.of());
		Boolean[] more = new Boolean[1200];
		Arrays.setAll(more, (i) -> i < 500);
		assertLookedUpTogether(Account.class, null, LongStream.range(500, 1700).<Object>mapToObj((i) -> i).toList(),
				more);
	}

	private static void assertLookedUpTogether(Class<?> type, @Nullable String attribute, List<Object> keys,
			@Nullable Boolean... expected) {
		KeySource source = new MongoEntities(template, List.of(), null, false)
			.source(new EntityKeys("products", type.getName(), attribute), 10, null, RowSecurity.REFUSED);
		assertThat(source.containsEach(keys.stream().map(List::of).toList()))
			.isEqualTo(Arrays.stream(expected).map(Optional::ofNullable).toList());
	}

	private static void assertLookedUp(Class<?> type, @Nullable String attribute, @Nullable Boolean expected,
			Object... keys) {
		KeySource source = new MongoEntities(template, List.of(), null, false)
			.source(new EntityKeys("products", type.getName(), attribute), 10, null, RowSecurity.REFUSED);
		for (Object key : keys) {
			assertThat(source.contains(List.of(key))).as(type + " " + key).isEqualTo(Optional.ofNullable(expected));
		}
	}

	@Test
	void documentOfEachWayToInsertIsInTheFilterBeforeItCanBeSeen() {
		late.clear();
		ways().forEach((way, insert) -> {
			List<Product> products = List.of(Product.withId(way + " 1"), Product.withId(way + " 2"));
			insert.accept(products);
			assertInserted(way, products);
		});
		assertThat(late).isEmpty();
		assertAbsentIsTold();
	}

	@Test
	void documentWhoseIdIsGeneratedIsInTheFilterBeforeItCanBeSeen() {
		late.clear();
		List<String> ways = List.of("insert", "insert all", "save", "repository", "bulk", "driver");
		for (String way : ways) {
			List<Product> products = List.of(new Product("generated by " + way + " 1"),
					new Product("generated by " + way + " 2"));
			switch (way) {
				case "insert" -> products.forEach(template::insert);
				case "insert all" -> template.insertAll(products);
				case "save" -> products.forEach(template::save);
				case "repository" -> writer.bean(Products.class).saveAll(products);
				case "bulk" -> template.bulkOps(BulkMode.UNORDERED, Product.class).insert(products).execute();
				default -> products.forEach((product) -> products().withWriteConcern(WriteConcern.W1)
					.insertOne(new Document("sku", product.sku)));
			}
			assertInserted(way, products);
		}
		assertThat(late).isEmpty();
		assertAbsentIsTold();
	}

	/**
	 * Nobody can know the id before MongoDB tells it.
	 */
	@Test
	void documentWhoseIdMongoDbGeneratesForAnUpsertIsFound() {
		template.upsert(query("upserted"), Update.update("stock", 1), Product.class);
		products().updateOne(Filters.eq("sku", "upserted by driver"), Updates.set("stock", 1),
				new UpdateOptions().upsert(true));
		template.findAndModify(query("upserted and found"), Update.update("stock", 1),
				FindAndModifyOptions.options().upsert(true).returnNew(true), Product.class);
		template.bulkOps(BulkMode.ORDERED, Product.class)
			.upsert(query("upserted in bulk"), Update.update("stock", 1))
			.execute();
		products().replaceOne(Filters.eq("stock", -1), new Document("sku", "replaced"),
				new ReplaceOptions().upsert(true));
		for (String sku : List.of("upserted", "upserted by driver", "upserted and found", "upserted in bulk",
				"replaced")) {
			assertFound("skus", sku);
			assertFound("products", products().find(Filters.eq("sku", sku)).first().getObjectId("_id"));
		}
		assertAbsentIsTold();
	}

	@Test
	void valueThatAnUpdateGivesAnAttributeIsFound() {
		Product product = template.insert(new Product("before"));
		template.updateFirst(query("before"), Update.update("sku", "after"), Product.class);
		assertFound("skus", "after");
		product.sku = "saved";
		template.save(product);
		assertFound("skus", "saved");
		template.findAndModify(query("saved"), Update.update("sku", "modified"), Product.class);
		assertFound("skus", "modified");
		products().updateMany(Filters.eq("sku", "modified"), Updates.unset("sku"));
		products().updateOne(Filters.eq("_id", new ObjectId(product.id)), Updates.inc("stock", 1));
		assertAbsentIsTold();
	}

	@Test
	void filterIsLoadedAgainAfterAWriteThatDoesNotTellItsKey() {
		try (LogLines log = LogLines.of(MongoWrites.class, Level.WARN)) {
			template.insert(new Product("x1"));
			products().updateOne(Filters.eq("sku", "x1"), Updates.rename("sku", "old"));
			products().updateOne(Filters.eq("old", "x1"), Updates.rename("old", "sku"));
			assertReloaded("skus", "x1");
			products().findOneAndUpdate(Filters.eq("sku", "x3"), Updates.set("stock", 3),
					new FindOneAndUpdateOptions().upsert(true));
			assertReloaded("products", products().find(Filters.eq("sku", "x3")).first().getObjectId("_id"));
			assertThat(log.lines())
				.anyMatch((line) -> line.contains("The filter 'skus' is loaded again, because updateOne writes sku of"
						+ " shop.product without telling the values"))
				.anyMatch((line) -> line.contains("The filter 'products' is loaded again, because findOneAndUpdate"));
		}
	}

	@Test
	void filterIsLoadedAgainAfterAWriteThatOnlyNamesTheCollection() {
		template.executeCommand(new Document("insert", "product").append("documents",
				List.of(new Document("_id", new ObjectId()).append("sku", "commanded"))));
		assertReloaded("skus", "commanded");
		template.getCollection("drafts").insertOne(new Document("sku", "merged"));
		template.aggregate(Aggregation.newAggregation(Aggregation.merge().intoCollection("product").build()), "drafts",
				Document.class);
		assertReloaded("skus", "merged");
		template.getCollection("drafts").insertOne(new Document("sku", "merged by the driver"));
		template.getCollection("drafts").aggregate(List.of(Aggregates.merge("product"))).batchSize(1).toCollection();
		assertReloaded("skus", "merged by the driver");
	}

	private static void assertReloaded(String filter, Object key) {
		assertThat(writer.guard().membership(filter, key)).isNotEqualTo(Membership.ABSENT);
		assertThat(reader.guard().membership(filter, key)).isNotEqualTo(Membership.ABSENT);
		await(filter + " " + key, () -> reader.guard().membership(filter, key) == Membership.MAYBE);
		awaitReady();
	}

	@Test
	void deletedDocumentsAreRemovedIfTheyAreGone() {
		RemovedKeys.allow(redis, "accounts");
		writer.bean(ManagedFilters.class).find("accounts").filter().refresh().join();
		template.remove(template.findById(2000, Account.class));
		template.findAllAndRemove(Query.query(Criteria.where("number").in(2001L, 2002L)), Account.class);
		assertThat(template.findById(2001L, Account.class)).isNull();
		template.getCollection("account").deleteOne(Filters.eq("_id", 2003L));
		template.getCollection("account").deleteOne(Filters.and(Filters.eq("_id", 2004L), Filters.eq("owner", "-")));
		Awaitility.await()
			.untilAsserted(() -> assertThat(RemovedKeys.of(redis, "accounts")).containsExactlyInAnyOrder("2000", "2001",
					"2002", "2003"));
	}

	@Test
	void nothingIsInsertedIfItsKeyCannotBeAdded() {
		try (TestRedis other = TestRedis.start().reset("skus", "accounts", "tokens");
				GuardApplication application = MongoShop.start(other, server, List.of(), "bloom-guard.timeout=200ms")) {
			await("ready", () -> application.guard().membership("skus", "-") == Membership.ABSENT);
			other.kill();
			assertThatExceptionOfType(KeyNotAddedException.class)
				.isThrownBy(() -> application.bean(MongoTemplate.class).insert(new Product("refused")));
			assertThat(products().find(Filters.eq("sku", "refused")).first()).isNull();
		}
	}

	private static Map<String, Consumer<List<Product>>> ways() {
		Map<String, Consumer<List<Product>>> ways = new LinkedHashMap<>();
		ways.put("insert", (products) -> products.forEach(template::insert));
		ways.put("insertAll", (products) -> template.insertAll(products));
		ways.put("save", (products) -> products.forEach(template::save));
		ways.put("repository", (products) -> writer.bean(Products.class).saveAll(products));
		ways.put("fluent", (products) -> template.insert(Product.class).all(products));
		ways.put("bulk", (products) -> template.bulkOps(BulkMode.UNORDERED, Product.class).insert(products).execute());
		ways.put("upsert",
				(products) -> products
					.forEach((product) -> template.upsert(Query.query(Criteria.where("id").is(product.id)),
							Update.update("sku", product.sku), Product.class)));
		ways.put("findAndModify", (products) -> products
			.forEach((product) -> template.findAndModify(Query.query(Criteria.where("id").is(product.id)),
					Update.update("sku", product.sku), FindAndModifyOptions.options().upsert(true), Product.class)));
		ways.put("findAndReplace",
				(products) -> products
					.forEach((product) -> template.findAndReplace(Query.query(Criteria.where("id").is(product.id)),
							product, FindAndReplaceOptions.options().upsert())));
		ways.put("driver",
				(products) -> writer.bean(MongoClient.class)
					.getDatabase("shop")
					.getCollection("product")
					.insertMany(products.stream().map(MongoEntityTests::document).toList()));
		ways.put("driver's bulk",
				(products) -> products().bulkWrite(List.of(new InsertOneModel<>(document(products.get(0))),
						new ReplaceOneModel<>(Filters.eq("_id", new ObjectId(products.get(1).id)),
								document(products.get(1)), new ReplaceOptions().upsert(true)))));
		ways.put("driver's BSON",
				(products) -> products.forEach((product) -> products().withDocumentClass(BsonDocument.class)
					.insertOne(document(product).toBsonDocument())));
		return ways;
	}

	private static Document document(Product product) {
		return new Document("_id", new ObjectId(product.id)).append("sku", product.sku);
	}

	private static Query query(String sku) {
		return Query.query(Criteria.where("sku").is(sku));
	}

	private static MongoCollection<Document> products() {
		return template.getCollection("product");
	}

	private static void assertInserted(String way, List<Product> products) {
		for (Product product : products) {
			Document document = products().find(Filters.eq("sku", product.sku)).first();
			assertThat(document).as(way).isNotNull();
			assertThat(reader.guard().membership("products", document.getObjectId("_id"))).as(way)
				.isEqualTo(Membership.MAYBE);
			assertThat(reader.guard().membership("skus", product.sku)).as(way).isEqualTo(Membership.MAYBE);
		}
	}

	private static void assertFound(String filter, Object key) {
		assertThat(reader.guard().membership(filter, key)).as(filter + " " + key).isEqualTo(Membership.MAYBE);
	}

	/**
	 * Nothing was mistrusted.
	 */
	private static void assertAbsentIsTold() {
		assertThat(isAbsentTold()).isTrue();
	}

	private static void awaitReady() {
		await("ready", MongoEntityTests::isAbsentTold);
	}

	private static boolean isAbsentTold() {
		return Stream.of(reader, writer)
			.allMatch((instance) -> FILTERS.stream()
				.allMatch((filter) -> instance.guard().membership(filter, 4711) == Membership.ABSENT
						|| instance.guard().membership(filter, "none") == Membership.ABSENT));
	}

	private static void await(String what, Callable<Boolean> condition) {
		Awaitility.await(what).pollInterval(Duration.ofMillis(20)).until(condition);
	}

	/**
	 * Notes keys that are added although their documents can be seen already.
	 */
	private static final class LateKeys implements AddedKeysListener {

		@Override
		public void onKeysAdded(String filter, Collection<?> keys) {
			for (Object key : keys) {
				boolean id = filter.equals("products");
				if ((filter.equals("skus") || id) && visible(key, id)) {
					late.add(filter + " " + key);
				}
			}
		}

		private static boolean visible(Object key, boolean id) {
			return products()
				.find(id ? Filters.eq("_id", new ObjectId(key.toString())) : Filters.eq("sku", key.toString()))
				.first() != null;
		}

	}

}
