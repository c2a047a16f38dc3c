/**
 * An application that lists what it is made of. It does not know that there is a guard.
 */
@NullMarked
package io.github.bloomguard.compatibility.listing;

import org.jspecify.annotations.NullMarked;
