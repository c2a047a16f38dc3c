/**
 * What the tests of an application need that uses the guard.
 */
@NullMarked
package io.github.bloomguard.test;

import org.jspecify.annotations.NullMarked;
