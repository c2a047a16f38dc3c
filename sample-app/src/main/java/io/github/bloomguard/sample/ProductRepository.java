package io.github.bloomguard.sample;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/**
 * The table of products. Each method sends one statement and counts it, so what the
 * counter says is what the database got.
 */
@Repository
class ProductRepository {

	private final JdbcClient jdbc;

	private final QueryCounter counter;

	private final RequestTrace trace;

	ProductRepository(JdbcClient jdbc, QueryCounter counter, RequestTrace trace) {
		this.jdbc = jdbc;
		this.counter = counter;
		this.trace = trace;
	}

	@Nullable Product findById(long id) {
		countQuery();
		return this.jdbc.sql("select id, name, price from product where id = :id")
			.param("id", id)
			.query(Product.class)
			.optional()
			.orElse(null);
	}

	List<Product> findAllById(Collection<Long> ids) {
		countQuery();
		return this.jdbc.sql("select id, name, price from product where id in (:ids) order by id")
			.param("ids", ids)
			.query(Product.class)
			.list();
	}

	Product insert(NewProduct product) {
		this.counter.countInsert();
		this.trace.reachedDatabase();
		KeyHolder keys = new GeneratedKeyHolder();
		BigDecimal price = product.price().setScale(2);
		this.jdbc.sql("insert into product (name, price) values (:name, :price)")
			.param("name", product.name())
			.param("price", price)
			.update(keys, "id");
		Number id = Objects.requireNonNull(keys.getKey(), "The database has given no id");
		return new Product(id.longValue(), product.name(), price);
	}

	private void countQuery() {
		this.counter.countQuery();
		this.trace.reachedDatabase();
	}

}
