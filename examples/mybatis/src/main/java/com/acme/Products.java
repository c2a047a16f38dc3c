package com.acme;

import java.io.Serializable;

import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

@Service
public class Products extends ServiceImpl<ProductMapper, Product> {

	@Override
	@BloomGuarded(filter = "products", key = "#id")
	@Cacheable("products")
	public Product getById(Serializable id) {
		return super.getById(id);
	}

}
