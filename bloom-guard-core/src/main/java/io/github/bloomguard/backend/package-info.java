/**
 * What a kind of server has to offer so that filters can be kept in it. Each kind is a
 * package below this one and a bean, and nothing else knows it.
 */
@NullMarked
package io.github.bloomguard.backend;

import org.jspecify.annotations.NullMarked;
