package io.github.bloomguard.compatibility.catalogue;

import java.io.Serializable;

/**
 * What a Redis cache can hold.
 *
 * @param id the id
 * @param name the name
 */
public record Product(long id, String name) implements Serializable {

}
