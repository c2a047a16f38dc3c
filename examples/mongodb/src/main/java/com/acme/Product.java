package com.acme;

import java.io.Serializable;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

@Document("product")
public record Product(@Id String id, String name) implements Serializable {

}
