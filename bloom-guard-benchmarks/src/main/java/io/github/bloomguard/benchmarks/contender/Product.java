package io.github.bloomguard.benchmarks.contender;

import java.io.Serializable;

/**
 * A row.
 *
 * @param id its id
 * @param name of usual length
 */
public record Product(long id, String name) implements Serializable {
}
