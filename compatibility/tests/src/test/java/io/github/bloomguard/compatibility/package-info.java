/**
 * Tests that are run on the class paths of applications.
 */
@NullMarked
package io.github.bloomguard.compatibility;

import org.jspecify.annotations.NullMarked;
