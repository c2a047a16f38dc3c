package io.github.bloomguard.sample;

import java.util.Collection;
import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * The table of products.
 */
interface ProductEntities extends JpaRepository<ProductEntity, Long> {

	List<ProductEntity> findByIdInOrderById(Collection<Long> ids);

}
