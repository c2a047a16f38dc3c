package com.acme;

import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;

import org.springframework.stereotype.Service;

@Service
public class Products extends ServiceImpl<ProductMapper, Product> {

	/**
	 * Returns the name of a product, {@code null} if there is none. It calls a method of
	 * this bean, past the bean's proxy: the guard is at the mapper, where it sees the
	 * call.
	 */
	public String nameOf(long id) {
		Product product = getById(id);
		return (product != null) ? product.getName() : null;
	}

}
