/**
 * The application, restarted by Spring Boot's development tools.
 */
@NullMarked
package io.github.bloomguard.compatibility.restart;

import org.jspecify.annotations.NullMarked;
