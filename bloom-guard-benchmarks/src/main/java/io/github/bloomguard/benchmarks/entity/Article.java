package io.github.bloomguard.benchmarks.entity;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/**
 * An entity with an id of a sequence.
 */
@Entity
class Article {

	@Id
	@GeneratedValue
	long id;

	String name = "";

	long price;

	protected Article() {
	}

	Article(String name, long price) {
		this.name = name;
		this.price = price;
	}

}
