package io.github.bloomguard.sample;

import java.io.Serializable;
import java.math.BigDecimal;

/**
 * A product. It is {@link Serializable} because Spring's Redis cache stores it as Java
 * serialization by default.
 *
 * @param id the key
 * @param name what it is called
 * @param price what it costs
 */
public record Product(long id, String name, BigDecimal price) implements Serializable {
}
