/**
 * An application with one guarded service, which needs no more than Spring's caching.
 */
@NullMarked
package io.github.bloomguard.compatibility.catalogue;

import org.jspecify.annotations.NullMarked;
