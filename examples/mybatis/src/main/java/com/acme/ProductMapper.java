package com.acme;

import java.io.Serializable;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.bloomguard.annotation.BloomGuarded;
import org.apache.ibatis.annotations.Mapper;

import org.springframework.cache.annotation.Cacheable;

/**
 * All ways to a row lead through the mapper, also {@code this.getById(id)} in a service.
 */
@Mapper
public interface ProductMapper extends BaseMapper<Product> {

	@Override
	@BloomGuarded("products")
	@Cacheable("products")
	Product selectById(Serializable id);

}
