/**
 * Filters of entities: what Hibernate and Spring Data JDBC know of them gives the keys,
 * of the rows that are there and of those that are inserted.
 */
@NullMarked
package io.github.bloomguard.entity;

import org.jspecify.annotations.NullMarked;
