package com.acme.orders;

import java.io.Serializable;

record Product(long id, String name) implements Serializable {

}
