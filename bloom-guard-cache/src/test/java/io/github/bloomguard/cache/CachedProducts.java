/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.cache;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.AnnotationCacheOperationSource;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheErrorHandler;
import org.springframework.cache.interceptor.CacheInterceptor;
import org.springframework.cache.interceptor.SimpleCacheErrorHandler;

/**
 * Methods with cache annotations, as Spring calls them.
 */
class CachedProducts {

	private IntUnaryOperator rows = IntUnaryOperator.identity();

	static CachedProducts of(CacheManager manager, IntUnaryOperator rows) {
		return of(manager, rows, new SimpleCacheErrorHandler());
	}

	static CachedProducts of(CacheManager manager, IntUnaryOperator rows, CacheErrorHandler errorHandler) {
		CachedProducts products = new CachedProducts();
		products.rows = rows;
		AnnotationCacheOperationSource source = new AnnotationCacheOperationSource();
		CacheInterceptor interceptor = new CacheInterceptor();
		interceptor.setCacheOperationSource(source);
		interceptor.setCacheManager(manager);
		interceptor.setErrorHandler(errorHandler);
		interceptor.afterPropertiesSet();
		interceptor.afterSingletonsInstantiated();
		BeanFactoryCacheOperationSourceAdvisor cache = new BeanFactoryCacheOperationSourceAdvisor();
		cache.setCacheOperationSource(source);
		cache.setAdvice(interceptor);
		ProxyFactory factory = new ProxyFactory(products);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(CachedCallAdvisor.outer(source));
		factory.addAdvisor(cache);
		factory.addAdvisor(CachedCallAdvisor.inner(source));
		return (CachedProducts) factory.getProxy();
	}

	@Cacheable("products")
	public Integer find(int id) {
		return this.rows.applyAsInt(id);
	}

	@Cacheable({ "products", "others" })
	public Integer findInTwo(int id) {
		return this.rows.applyAsInt(id);
	}

	@Cacheable(value = "products", unless = "#result < 0")
	public Integer findPositive(int id) {
		return this.rows.applyAsInt(id);
	}

	@Cacheable(value = "products", sync = true)
	public Integer findOnce(int id) {
		return this.rows.applyAsInt(id);
	}

	/**
	 * Has not found any.
	 */
	@Cacheable("products")
	public @Nullable Integer findNone(int id) {
		return null;
	}

	@Cacheable("products")
	public CompletableFuture<Integer> findLater(int id) {
		return CompletableFuture.supplyAsync(() -> this.rows.applyAsInt(id));
	}

	@Cacheable(value = "products", sync = true)
	public CompletableFuture<Integer> findOnceLater(int id) {
		return CompletableFuture.supplyAsync(() -> this.rows.applyAsInt(id));
	}

	@Cacheable(value = "products", unless = "#result < 0")
	public CompletableFuture<Integer> findPositiveLater(int id) {
		return CompletableFuture.supplyAsync(() -> this.rows.applyAsInt(id));
	}

	@Cacheable(value = "products", unless = "#result < 0")
	public Mono<Integer> findPositiveMono(int id) {
		return Mono.fromCallable(() -> this.rows.applyAsInt(id)).subscribeOn(Schedulers.boundedElastic());
	}

	@Cacheable(value = "products", unless = "#result.contains(-1)")
	public Flux<Integer> findPositiveFlux(int id) {
		return Flux.defer(() -> Flux.just(this.rows.applyAsInt(id)));
	}

	/**
	 * Is loaded before the method returns.
	 */
	@Cacheable(value = "products", sync = true)
	public CompletableFuture<Integer> findOnceNow(int id) {
		return CompletableFuture.completedFuture(this.rows.applyAsInt(id));
	}

	@Cacheable("products")
	public Mono<Integer> findMono(int id) {
		return Mono.fromCallable(() -> this.rows.applyAsInt(id)).subscribeOn(Schedulers.boundedElastic());
	}

	@Cacheable(value = "products", sync = true)
	public Mono<Integer> findOnceMono(int id) {
		return Mono.fromCallable(() -> this.rows.applyAsInt(id)).subscribeOn(Schedulers.boundedElastic());
	}

	@Cacheable(value = "products", sync = true)
	public CompletableFuture<Integer> findNever(int id) {
		return new CompletableFuture<>();
	}

	@Cacheable("products")
	public Flux<Integer> findFlux(int id) {
		return Flux.defer(() -> Flux.just(this.rows.applyAsInt(id)));
	}

	@CachePut("products")
	public CompletableFuture<Integer> replaceLater(int id) {
		return CompletableFuture.supplyAsync(() -> this.rows.applyAsInt(id));
	}

	@CachePut("products")
	public Mono<Integer> replaceMono(int id) {
		return Mono.fromCallable(() -> this.rows.applyAsInt(id)).subscribeOn(Schedulers.parallel());
	}

	@CachePut(value = "products", key = "#id")
	public Integer replace(int id, Runnable update) {
		update.run();
		return this.rows.applyAsInt(id);
	}

	@CacheEvict(value = "products", key = "#id")
	public void update(int id, Runnable update) {
		update.run();
	}

	@CacheEvict(value = "products", key = "#id", beforeInvocation = true)
	public void evictAndUpdate(int id, Runnable update) {
		update.run();
	}

	@CacheEvict(value = "products", key = "#id", beforeInvocation = true)
	public CompletableFuture<Void> evictAndUpdateLater(int id, CompletableFuture<Void> update) {
		return update;
	}

	@CacheEvict(value = "products", key = "#id", beforeInvocation = true)
	public Mono<Void> evictAndUpdateMono(int id, Mono<Void> update) {
		return update;
	}

	@CacheEvict(value = "products", allEntries = true)
	public void updateAll(Runnable update) {
		update.run();
	}

}
