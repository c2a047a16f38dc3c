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

package io.github.bloomguard.interceptor

import io.github.bloomguard.BloomGuard
import io.github.bloomguard.InvalidGuardException
import io.github.bloomguard.KeyNotAddedException
import io.github.bloomguard.Loader
import io.github.bloomguard.annotation.BloomAdd
import io.github.bloomguard.annotation.BloomGuarded
import java.lang.reflect.Proxy
import java.util.Optional
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.Continuation
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.beans.factory.BeanCreationException
import org.springframework.beans.factory.FactoryBean
import org.springframework.cache.annotation.Cacheable
import org.springframework.cache.annotation.EnableCaching
import org.springframework.cache.concurrent.ConcurrentMapCacheManager
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.dao.EmptyResultDataAccessException
import org.springframework.data.repository.Repository

/**
 * Tests for annotated methods that are written in Kotlin.
 */
class KotlinTests {

	private val context = GuardContext.of(Products::class.java, CacheConfiguration::class.java)

	private val products = this.context.bean(Products::class.java)

	private val filter = this.context.products()

	@AfterEach
	fun close() = this.context.close()

	@Test
	fun lambdaIsALoader() {
		val types = arrayOf(BloomGuard::class.java)
		val guard = Proxy.newProxyInstance(javaClass.classLoader, types) { _, _, arguments ->
			(arguments[2] as Loader<*, *>).load()
		} as BloomGuard
		val product: String? = guard.get<String, RuntimeException>("products", 7) { "loaded" }
		assertThat(product).isEqualTo("loaded")
		assertThat(guard.get<String, RuntimeException>("products", 7) { null }).isNull()
	}

	@Test
	fun absentKeyIsAnsweredWithTheEmptyValueOfTheDeclaredType() = runBlocking<Unit> {
		filter.absent(7L)
		assertThat(products.find(7)).isNull()
		assertThat(products.findAll(7)).isEmpty()
		assertThat(products.findOptional(7)).isEmpty()
		assertThat(products.suspendingFlow(7).toList()).isEmpty()
		assertThat(products.flow(7).toList()).isEmpty()
		assertThat(products.future(7)).isCompletedWithValue(null)
		assertThat(products.findValue(ProductId(7))).isNull()
		assertThat(products.calls).isZero()
	}

	@Test
	fun possibleKeyGoesThroughAndTheGuardIsToldWhatWasFound() = runBlocking<Unit> {
		assertThat(products.find(1)).isEqualTo("product 1")
		assertThat(products.find(-1)).isNull()
		assertThat(products.findAll(2)).containsExactly("product 2")
		assertThat(products.findAll(-2)).isEmpty()
		assertThat(products.suspendingFlow(3).toList()).containsExactly("a", "b")
		assertThat(products.flow(4).toList()).containsExactly("a", "b")
		assertThat(products.findValue(ProductId(5))).isEqualTo("product 5")
		assertThat(filter.loaded()).containsExactly("1 MAYBE found", "-1 MAYBE empty", "2 MAYBE found",
				"-2 MAYBE empty", "3 MAYBE found", "4 MAYBE found", "5 MAYBE found")
	}

	@Test
	fun onlyParameterIsTheKeyAndHasEmptySentinels() = runBlocking<Unit> {
		products.find(1)
		assertThat(filter.checked()).containsExactly(1L)
		assertThat(filter.scopes()).hasSize(1)
		products.findAll(1)
		assertThat(filter.scopes()).hasSize(1)
	}

	@Test
	fun expressionsSeeTheParametersWithoutTheContinuation() = runBlocking<Unit> {
		products.findByName("shop", "name")
		products.findByArguments("shop", "name")
		assertThat(filter.checked()).containsExactly("name", listOf("shop", "name", 2))
	}

	@Test
	fun keysThatCanNotExistAreLeftOut() = runBlocking<Unit> {
		filter.absent(2L)
		assertThat(products.findAllById(listOf(1L, 2L, 3L))).containsExactly(1L, 3L)
		assertThat(products.findAllById(listOf(2L))).isEmpty()
		assertThat(products.calls).isEqualTo(1)
	}

	@Test
	fun callerIsSuspendedWhileTheFilterIsAsked() = runBlocking<Unit> {
		filter.hold()
		val product = async(start = UNDISPATCHED) { products.find(1) }
		assertThat(filter.checked()).containsExactly(1L)
		assertThat(product.isCompleted).isFalse()
		filter.release()
		assertThat(product.await()).isEqualTo("product 1")
	}

	@Test
	fun methodRunsInTheContextOfItsCaller() = runBlocking<Unit> {
		withContext(CoroutineName("caller")) {
			assertThat(products.findContext(1)).isEqualTo("caller")
		}
	}

	@Test
	fun failureIsHandedOnAndNotReported() {
		assertThatExceptionOfType(IllegalStateException::class.java)
			.isThrownBy { runBlocking { products.fail(1) } }
		assertThat(filter.loaded()).isEmpty()
	}

	@Test
	fun absentKeyAsksNoCache() = runBlocking<Unit> {
		filter.absent(7L)
		assertThat(products.findCached(7)).isNull()
		assertThat(products.findCached(8)).isEqualTo("product 8")
		assertThat(products.findCached(8)).isEqualTo("product 8")
		assertThat(products.calls).isEqualTo(1)
	}

	@Test
	fun callThrowsWhatIsNamedForWhatIsMissing() {
		filter.absent(7L)
		assertThatExceptionOfType(NotFoundException::class.java).isThrownBy { runBlocking { products.get(7) } }
			.withMessage("Not found (filter 'products')")
		assertThatExceptionOfType(NotFoundException::class.java).isThrownBy { runBlocking { products.get(-1) } }
			.withMessage("-1")
		assertThat(filter.loaded()).containsExactly("-1 MAYBE empty")
	}

	@Test
	fun keyIsAddedBeforeTheCallerGoesOn() = runBlocking<Unit> {
		assertThat(products.create("umbrella").id).isEqualTo(42)
		assertThat(filter.added()).containsExactly(42L)
		products.insert(43)
		assertThat(filter.added()).containsExactly(42L, 43L)
		assertThat(products.import("a", "b").toList()).hasSize(2)
		assertThat(filter.added()).containsExactly(42L, 43L, "a", "b")
	}

	@Test
	fun keyIsAddedBeforeASuspendFunctionIsCalled() = runBlocking<Unit> {
		filter.refuseAdds()
		assertThatExceptionOfType(KeyNotAddedException::class.java)
			.isThrownBy { runBlocking { products.insertFirst(7) } }
		assertThat(products.calls).isZero()
		filter.onAdd { products.calls++ }
		filter.takeAdds()
		assertThat(products.insertFirst(8)).isEqualTo(1)
		assertThat(filter.added()).containsExactly(8L)
	}

	@Test
	fun resultThatIsNullAddsNothing() = runBlocking<Unit> {
		assertThat(products.createIfNew("known")).isNull()
		assertThat(filter.added()).isEmpty()
		assertThat(products.createIfNew("umbrella")).isNotNull()
		assertThat(filter.added()).containsExactly(42L)
	}

	@Test
	fun callFailsIfTheKeyCanNotBeAdded() {
		filter.refuseAdds()
		assertThatExceptionOfType(KeyNotAddedException::class.java)
			.isThrownBy { runBlocking { products.create("umbrella") } }
	}

	@Test
	fun annotationOnAnInterfaceIsEnough() = runBlocking<Unit> {
		for (component in listOf(Catalogue::class.java, CatalogueFactory::class.java)) {
			GuardContext.ofJdkProxies(component).use { context ->
				context.products().absent(7L)
				val finder = context.bean(Finder::class.java)
				assertThat(finder.find(7)).isNull()
				assertThat(finder.findAll(7)).isEmpty()
				assertThat(finder.findAll(8)).containsExactly("product")
			}
		}
	}

	@Test
	fun typeThatIsNeverNullIsGuardedAsItThrows() = runBlocking<Unit> {
		GuardContext.of(NeverNull::class.java).use { context ->
			val ids = listOf(-7L, -8L, -9L, -10L, -11L)
			context.products().absent(*ids.toTypedArray())
			val products = context.bean(NeverNull::class.java)
			for ((index, id) in ids.withIndex()) {
				val message = if (index < 3) "Incorrect result size" else "Not found"
				assertThatExceptionOfType(EmptyResultDataAccessException::class.java)
					.isThrownBy { products.find(id) }.withMessageStartingWith(message)
				assertThatExceptionOfType(EmptyResultDataAccessException::class.java)
					.isThrownBy { runBlocking { products.suspending(id) } }.withMessageStartingWith(message)
			}
			assertThat(products.calls).isEqualTo(6)
			assertThat(context.products().loaded()).hasSize(6).contains("-7 ABSENT empty")
			assertThat(products.count(-7)).isZero()
			assertThat(products.calls).isEqualTo(6)
		}
	}

	@Test
	fun repositoryThrowsWhatSpringDataThrowsForATypeThatIsNeverNull() {
		GuardContext.ofJdkProxies(OwnersFactory::class.java).use { context ->
			context.products().absent(7L)
			val owners = context.bean(Owners::class.java)
			assertThatExceptionOfType(EmptyResultDataAccessException::class.java).isThrownBy { owners.findById(7) }
			assertThatExceptionOfType(IllegalStateException::class.java)
				.isThrownBy { runBlocking { owners.suspending(7) } }
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = [
		"Primitive | returns char, which has no empty value | return Char?",
		"Nothing | find(long) returns void | returns it",
		"ResultOfNothing | uses #result, but the method returns nothing | parameter",
		"FinalClass | find(long) is on a method of a final class | kotlin-spring",
		"FinalMethod | find(long) is on a final method | kotlin-spring",
		"TwoParameters | has no key, and the method has 2 parameters | key",
	])
	fun applicationDoesNotStart(component: String, problem: String, remedy: String) {
		val type = Class.forName("${KotlinTests::class.java.name}$$component")
		assertThatExceptionOfType(BeanCreationException::class.java).isThrownBy { GuardContext.of(type).close() }
			.withCauseInstanceOf(InvalidGuardException::class.java)
			.satisfies({ failure ->
				val invalid = failure.cause as InvalidGuardException
				assertThat(invalid.problem).contains(problem)
				assertThat(invalid.remedy).contains(remedy)
			})
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	open class CacheConfiguration {

		@Bean
		open fun cacheManager() = ConcurrentMapCacheManager()

	}

	@JvmInline
	value class ProductId(val value: Long)

	class NotFoundException(message: String) : RuntimeException(message)

	class Product(val id: Long)

	open class Products {

		open var calls = 0

		@BloomGuarded("products")
		open suspend fun find(id: Long): String? {
			delay(1)
			calls++
			return if (id > 0) "product $id" else null
		}

		@BloomGuarded("products")
		open suspend fun findAll(id: Long): List<String> {
			calls++
			return if (id > 0) listOf("product $id") else listOf()
		}

		@BloomGuarded("products")
		open suspend fun findOptional(id: Long): Optional<String> = Optional.of("product $id")

		@BloomGuarded("products")
		open suspend fun suspendingFlow(id: Long): Flow<String> = flow(id)

		@BloomGuarded("products")
		open fun flow(id: Long): Flow<String> = flowOf("a", "b")

		@BloomGuarded("products")
		open fun future(id: Long): CompletableFuture<String?> = CompletableFuture.completedFuture("product $id")

		@BloomGuarded("products")
		open suspend fun findValue(id: ProductId): String? = "product ${id.value}"

		@BloomGuarded("products", key = "#name")
		open suspend fun findByName(shop: String, name: String): String? = name

		@BloomGuarded("products", key = "{#shop, #p1, #root.args.length}")
		open suspend fun findByArguments(shop: String, name: String): String? = name

		@BloomGuarded("products", keys = "#ids")
		open suspend fun findAllById(ids: List<Long>): List<Long> {
			calls++
			return ids
		}

		@BloomGuarded("products")
		open suspend fun findContext(id: Long): String? = currentCoroutineContext()[CoroutineName]?.name

		@BloomGuarded("products")
		open suspend fun fail(id: Long): String? = throw IllegalStateException("database")

		@BloomGuarded("products", missing = NotFoundException::class)
		open suspend fun get(id: Long): String = find(id) ?: throw NotFoundException("$id")

		@BloomGuarded("products")
		@Cacheable("products")
		open suspend fun findCached(id: Long): String? = find(id)

		@BloomAdd("products", key = "#result.id")
		open suspend fun create(name: String): Product {
			delay(1)
			return Product(42)
		}

		@BloomAdd("products", key = "#result.id")
		open suspend fun createIfNew(name: String): Product? = if (name == "known") null else create(name)

		@BloomAdd("products")
		open suspend fun insert(id: Long) = delay(1)

		@BloomAdd("products", before = true)
		open suspend fun insertFirst(id: Long): Int {
			delay(1)
			return calls++
		}

		@BloomAdd("products", key = "#result")
		open suspend fun import(vararg names: String): Flow<String> = names.asList().asFlow()

	}

	interface Finder {

		@BloomGuarded("products")
		suspend fun find(id: Long): String?

		@BloomGuarded("products")
		suspend fun findAll(id: Long): List<String>

	}

	class Catalogue : Finder {

		override suspend fun find(id: Long): String? = "product"

		override suspend fun findAll(id: Long) = listOf("product")

	}

	/**
	 * Makes what Spring Data makes of an interface.
	 */
	class CatalogueFactory : FactoryBean<Finder> {

		override fun getObject() = Proxy.newProxyInstance(javaClass.classLoader, arrayOf(Finder::class.java)) { _, _, args ->
			assertThat(args.last()).isInstanceOf(Continuation::class.java)
			listOf("product")
		} as Finder

		override fun getObjectType() = Finder::class.java

	}

	open class NeverNull {

		open var calls = 0

		@BloomGuarded("products")
		open suspend fun suspending(id: Long): String = find(id)

		@BloomGuarded("products")
		open fun find(id: Long): String {
			calls++
			return if (id > 0) "product" else throw EmptyResultDataAccessException(1)
		}

		@BloomGuarded("products")
		open suspend fun count(id: Long): Int = calls++.coerceAtMost(0)

	}

	interface Owners : Repository<String, Long> {

		@BloomGuarded("products")
		fun findById(id: Long): String

		@BloomGuarded("products")
		suspend fun suspending(id: Long): String

	}

	class OwnersFactory : FactoryBean<Owners> {

		override fun getObject() = Proxy.newProxyInstance(javaClass.classLoader, arrayOf(Owners::class.java)) { _, _, _ ->
			throw IllegalStateException("is called")
		} as Owners

		override fun getObjectType() = Owners::class.java

	}

	open class Primitive {

		@BloomGuarded("products")
		open fun find(id: Long): Char = 'a'

	}

	open class Nothing {

		@BloomGuarded("products")
		open suspend fun find(id: Long) {
		}

	}

	open class ResultOfNothing {

		@BloomAdd("products", key = "#result.id")
		open suspend fun add(id: Long) {
		}

	}

	class FinalClass {

		@BloomGuarded("products")
		fun find(id: Long): String? = null

	}

	open class FinalMethod {

		@BloomGuarded("products")
		suspend fun find(id: Long): String? = null

	}

	open class TwoParameters {

		@BloomGuarded("products")
		open suspend fun find(shop: String, id: Long): String? = null

	}

}
