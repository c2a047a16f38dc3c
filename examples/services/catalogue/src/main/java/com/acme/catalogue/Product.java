package com.acme.catalogue;

import java.io.Serializable;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class Product implements Serializable {

	@Id
	@GeneratedValue
	private Long id;

	private String name;

	protected Product() {
	}

	public Product(String name) {
		this.name = name;
	}

	public Long getId() {
		return this.id;
	}

	public String getName() {
		return this.name;
	}

}
