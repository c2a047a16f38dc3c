package io.github.bloomguard.compatibility.reactive;

import io.github.bloomguard.compatibility.catalogue.CatalogueKeys;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/**
 * The application.
 */
@SpringBootApplication(proxyBeanMethods = false)
@Import(CatalogueKeys.class)
public class ReactiveApplication {

}
