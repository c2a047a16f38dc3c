package io.github.bloomguard.compatibility.catalogue;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The service over HTTP, where there is Spring MVC.
 */
@RestController
class CatalogueController {

	private final Catalogue catalogue;

	CatalogueController(Catalogue catalogue) {
		this.catalogue = catalogue;
	}

	@GetMapping("/products/{id}")
	ResponseEntity<Product> find(@PathVariable("id") long id) {
		return ResponseEntity.ofNullable(this.catalogue.find(id));
	}

	@PostMapping("/products/{id}/{name}")
	Product create(@PathVariable("id") long id, @PathVariable("name") String name) {
		return this.catalogue.create(id, name);
	}

}
