package io.github.bloomguard.compatibility.catalogue;

/**
 * What only a cache in memory can hold: it can't be serialized.
 *
 * @param text the text
 */
public record Label(String text) {

}
