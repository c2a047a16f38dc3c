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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.AddFailure;
import io.github.bloomguard.filter.FilterSettings.Adding;
import io.github.bloomguard.filter.FilterSettings.Building;
import io.github.bloomguard.filter.FilterSettings.OnStartup;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.jdbc.KeyReading;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.RowSecurity;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The configuration of the guard.
 *
 * @param enabled Whether the guard is configured at all. Without it the bean 'BloomGuard'
 * lets everything pass, and no key is added.
 * @param application Name of the application whose filters these are, if it is not
 * 'spring.application.name'. Applications of the same name that load a filter from the
 * same sources share it.
 * @param keyPrefix Prefix of every Redis key. Set it where Redis allows a user certain
 * prefixes only, or to keep applications on one Redis apart.
 * @param timeout Longest wait for a filter before the call goes on unguarded.
 * @param addTimeout Longest wait for an answer of Redis while keys are added, after which
 * adding them has failed. It fails at once while Redis is known to be silent. Waiting for
 * the mirrors of other instances is not counted. In all, an add takes at most ten
 * seconds, or this time if it is longer; more keys of one call or transaction than can be
 * added in that time are refused.
 * @param defaults What holds for each filter that does not say otherwise.
 * @param filters Filters by their names.
 * @param page The page that the actuator endpoint shows to browsers.
 * @param advisor The advisor, which suggests filters.
 * @param redis The connection to Redis.
 */
@ConfigurationProperties("bloom-guard")
record BloomGuardProperties(@DefaultValue("true") boolean enabled, @Nullable String application,
		@DefaultValue("bloom-guard") String keyPrefix, @DefaultValue("100ms") Duration timeout,
		@DefaultValue("1s") Duration addTimeout, @DefaultValue Filter defaults,
		@DefaultValue Map<String, Filter> filters, @DefaultValue Page page, @DefaultValue Advisor advisor,
		@DefaultValue Redis redis) {

	BloomGuardProperties {
		filters = asWritten(filters);
	}

	/**
	 * Return the names of the filters, each with that of the entity whose ids are its
	 * keys, empty if there is none, without making the bean.
	 */
	static Map<String, String> entities(Environment environment) {
		Map<String, String> entities = new LinkedHashMap<>();
		Binder.get(environment)
			.bind("bloom-guard.filters", Bindable.mapOf(String.class, Object.class))
			.ifBound((filters) -> asWritten(filters).forEach((name, filter) -> entities.put(name,
					(filter instanceof Map<?, ?> properties && properties.get("attribute") == null)
							? Objects.toString(properties.get("entity"), "") : "")));
		return entities;
	}

	/**
	 * Return filters without those that variables of the environment make of the names of
	 * others, which have their values already: in a variable, {@code productsBySku} is
	 * {@code PRODUCTSBYSKU}.
	 */
	private static <T> Map<String, T> asWritten(Map<String, T> filters) {
		Map<String, Long> variables = filters.keySet()
			.stream()
			.collect(Collectors.groupingBy(BloomGuardProperties::ofVariable, Collectors.counting()));
		Map<String, T> written = new LinkedHashMap<>(filters);
		written.keySet().removeIf((name) -> variables.getOrDefault(name, 0L) > (ofVariable(name).equals(name) ? 1 : 0));
		return written;
	}

	/**
	 * Return what a variable of the environment makes of a name.
	 */
	private static String ofVariable(String name) {
		return name.toLowerCase(Locale.ROOT).replace("-", "");
	}

	/**
	 * @param enabled Whether the actuator endpoint shows a page to browsers, which ask it
	 * for 'text/html'.
	 * @param readOnly Whether the page has no buttons to rebuild a filter, to acknowledge
	 * false negatives, to add a key and to switch modes. The endpoint still does all of
	 * that; for one that does not, set 'management.endpoint.bloomguard.access' to
	 * 'read-only'.
	 */
	record Page(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean readOnly) {

	}

	/**
	 * @param enabled Whether the advisor counts what methods find that are '@Cacheable'
	 * and have no filter, or whose filter is in mode 'shadow' or 'off'. It suggests
	 * filters at the endpoint, on its page and in the log.
	 */
	record Advisor(@DefaultValue("true") boolean enabled) {

	}

	/**
	 * @param ownClient Whether the guard connects a client of its own although there is a
	 * 'RedissonClient' bean, with the same configuration but without its name mapper and
	 * with few connections. Where that bean maps names, the guard does so anyway.
	 */
	record Redis(@DefaultValue("false") boolean ownClient) {

	}

	/**
	 * Return whether any filter has an entity or a table.
	 */
	boolean areOfRows() {
		return this.filters.values().stream().anyMatch((filter) -> filter.entity() != null || filter.table() != null);
	}

	/**
	 * Return the name of the data source that has the rows of a filter, if it names one.
	 */
	@Nullable String dataSource(String filter) {
		Filter configured = this.filters.get(filter);
		return (configured != null) ? configured.dataSource() : null;
	}

	List<EntityKeys> entities() {
		return this.filters.entrySet()
			.stream()
			.map((filter) -> filter.getValue().entityKeys(filter.getKey()))
			.flatMap(Stream::ofNullable)
			.toList();
	}

	/**
	 * @param type Where the filter is kept: in Redis, where all instances share it
	 * ('redis'), there in a filter of the server's own ('redis-bloom', 'redis-cuckoo'),
	 * or in the memory of this process, for an application of one instance ('memory'). A
	 * bean of type 'FilterBackend' adds another type.
	 * @param owner Name of the application that loads the filter, which this one only
	 * asks: its 'bloom-guard.application' or 'spring.application.name'. All about the
	 * keys and how they are loaded is configured there.
	 * @param expectedInsertions Number of keys that the filter will hold. Leave room to
	 * grow. Required, unless the filter has an owner.
	 * @param falsePositiveProbability Share of the keys that do not exist and pass the
	 * filter all the same, once it holds the expected number of keys. Between 0 and 1.
	 * @param shardSize Size of the largest string that is kept in Redis. A larger filter
	 * is divided into several of them, by 'type: redis'. From 256 bytes to 512 MB.
	 * @param entity Class of an entity of JPA, Spring Data JDBC, MyBatis-Plus or MongoDB.
	 * Its ids are the keys: of the rows that are there, and of those that are inserted
	 * through it.
	 * @param attribute Attribute of the entity that is the key, if it is not the id;
	 * 'outer.inner' if it is embedded.
	 * @param table Table whose primary key is the key, with its schema and quotes as in
	 * SQL. Its rows are loaded, and those that MyBatis inserts are added.
	 * @param keyColumns Columns of the table that are the key, in the order of its parts,
	 * if it is not the primary key.
	 * @param dataSource Name of the DataSource bean that has the rows, or key or name of
	 * one of the databases to which a DataSource routes. For queries, tables, and
	 * entities of Spring Data JDBC and MyBatis-Plus.
	 * @param text Which texts of a 'KeySource' are one key: those that are the same
	 * ('exact', the default), or also those that differ by case, accents and blanks at
	 * the end ('fold'). For queries and entities the database is asked.
	 * @param mode Whether calls for absent keys are answered at once ('enforce'), only
	 * counted ('shadow'), or the filter is not asked, while keys are still added ('off').
	 * A filter that is configured 'off' is not loaded until it is switched on.
	 * @param emptyTtl Time to live of sentinels: how long a key that passed the filter
	 * and was not found is remembered. Zero for not at all.
	 * @param caches Spring caches whose null values an added key must clear. They have to
	 * be in Redis: one in the memory of each instance, such as Caffeine, stops the start.
	 * A filter of 'type: memory' may name any cache. The key of such a cache has to be
	 * the key of the filter: a guarded '@Cacheable' method with another key stops the
	 * start. If the key of the filter has several parts, a cached method may have one
	 * parameter for each part.
	 * @param verification How it is found out whether absent answers are true.
	 * @param addFailure Whether a key that can't be added makes the call and its
	 * transaction fail ('fail'), or the filter is not trusted until it has been rebuilt
	 * ('mistrust').
	 * @param addReplicas Number of Redis replicas that must have an added key before
	 * adding it succeeds ('WAIT'). Zero to wait for none.
	 * @param fallback What is done while the filter can't tell.
	 * @param warmUp How the keys are loaded.
	 * @param rebuild How a generation is replaced by a new one.
	 * @param catchUp How the keys of rows that others write are added.
	 * @param changes How the change log of the database is followed.
	 * @param mirror How calls are answered without asking Redis.
	 */
	@ConfigurationPropertiesSource
	record Filter(@DefaultValue("redis") String type, @Nullable String owner, @Nullable Long expectedInsertions,
			@DefaultValue("0.001") double falsePositiveProbability, @DefaultValue("16MB") DataSize shardSize,
			@Nullable String entity, @Nullable String attribute, @Nullable String table,
			@DefaultValue List<String> keyColumns, @Nullable String dataSource, @Nullable Text text,
			@DefaultValue("enforce") FilterMode mode, @DefaultValue("1m") Duration emptyTtl,
			@DefaultValue List<String> caches, @DefaultValue Verification verification,
			@DefaultValue("fail") AddFailure addFailure, @DefaultValue("0") int addReplicas,
			@DefaultValue Fallback fallback, @DefaultValue WarmUp warmUp, @DefaultValue Rebuild rebuild,
			@DefaultValue CatchUp catchUp, @DefaultValue Changes changes, @DefaultValue Mirror mirror) {

		/**
		 * Tests set the owner to nothing, and have a filter of their own.
		 */
		Filter {
			owner = StringUtils.hasText(owner) ? owner : null;
		}

		KeyTable table(String name, String table, QuerySources queries) {
			return queries.table(name, table, this.keyColumns, this.warmUp);
		}

		@Nullable EntityKeys entityKeys(String name) {
			return (this.entity != null) ? new EntityKeys(name, this.entity, this.attribute) : null;
		}

		/**
		 * @param grace for how long a row may be there before its key is
		 */
		FilterSettings settings(String name, Duration addTimeout, Duration grace) {
			FilterChecks checks = new FilterChecks(name);
			if (this.expectedInsertions == null) {
				throw checks.invalid("expected-insertions", "not set",
						"Set it to the number of keys that the filter will hold, at least 1");
			}
			checks.that(!this.rebuild.journalRetention().isNegative(), "rebuild.journal-retention",
					this.rebuild.journalRetention(),
					"Set it to the time that added keys are kept between rebuilds, such as 10m");
			return new FilterSettings(this.type,
					new FilterSpecification(name, this.expectedInsertions, this.falsePositiveProbability,
							this.shardSize.toBytes()),
					this.mode, this.emptyTtl, this.fallback.maxConcurrentLoads(),
					(this.mirror.enabled() && this.mode != FilterMode.OFF) ? this.mirror.maxMemory().toBytes() : 0,
					Adding.of(addTimeout, this.rebuild.longestTransaction(), this.rebuild.journalRetention(),
							this.rebuild.journalMaxMemory().toBytes(), this.addReplicas, this.addFailure),
					new Building(this.warmUp.onStartup(), this.warmUp.blocking(), this.warmUp.maxMemory().toBytes(),
							this.warmUp.recheckEmpty(), this.rebuild.settle(), this.rebuild.cron(),
							this.rebuild.interval(), this.rebuild.maxFalsePositiveFactor(),
							this.rebuild.maxRemovedRatio()),
					new FilterSettings.Verification(this.verification.mode(), this.verification.rate(),
							this.verification.floodMemory().toBytes(), this.verification.requiredCalls(), grace));
		}

		/**
		 * Return the settings of a filter that another application owns.
		 */
		FilterSettings readerSettings(String name, Duration addTimeout) {
			return BloomGuardBuilder.readerSettings(this.type, name, this.mode, this.fallback.maxConcurrentLoads(),
					(this.mirror.enabled() && this.mode != FilterMode.OFF) ? this.mirror.maxMemory().toBytes() : 0,
					Adding.of(addTimeout, this.rebuild.longestTransaction(), this.rebuild.journalRetention(),
							this.rebuild.journalMaxMemory().toBytes(), 0, this.addFailure),
					this.verification.mode(), this.verification.rate());
		}

		Set<Difference> ignored() {
			return (this.text == Text.FOLD) ? KeyEquality.FOLDED : KeyEquality.EXACT;
		}

	}

	enum Text {

		EXACT,

		FOLD

	}

	/**
	 * @param enabled Whether calls are answered from a copy of the filter in this
	 * instance, which adding keys waits for.
	 * @param maxMemory Memory that the copy may take. Redis is asked if the filter is
	 * larger.
	 */
	record Mirror(@DefaultValue("true") boolean enabled, @DefaultValue("96MB") DataSize maxMemory) {

	}

	/**
	 * @param maxConcurrentLoads Number of guarded calls that go through at the same time
	 * while the filter can't tell, or for keys about whose spelling it can't; the others
	 * fail with a 'LoadRejectedException'. Zero for no limit. Only in the mode 'enforce'.
	 */
	record Fallback(@DefaultValue("0") int maxConcurrentLoads) {

	}

	/**
	 * @param mode Whether absent answers are looked up after they were given ('behind'),
	 * before they are given ('before'), or not at all ('off').
	 * @param rate Number of questions that each instance asks in a second to verify
	 * absent answers. The keys of one call are one question. In a flood, half of them are
	 * for a sample of new keys. Keys that are asked for again are looked up together, up
	 * to five hundred by one question, and a fast source is asked up to 50 such questions
	 * a second. The filter alone answers all other keys above the rate. Zero for none.
	 * @param floodMemory Memory that each instance takes during a flood, to tell keys
	 * that are asked for again from those that come once. It is given back after the
	 * flood.
	 * @param requiredCalls How many calls prove the filter before it is believed. One of
	 * two things is enough: calls have looked for so many different keys that the filter
	 * calls absent and found none of them, and have found a tenth as many that it lets
	 * pass; or calls have found so many different keys that it lets pass. Until then all
	 * calls go through. Zero to believe it at once. At most three while you develop.
	 */
	record Verification(@DefaultValue("behind") Mode mode, @DefaultValue("10") double rate,
			@DefaultValue("4MB") DataSize floodMemory, @DefaultValue("100") int requiredCalls) {

	}

	/**
	 * @param query SQL query that gives all keys. Several columns are a composite key.
	 * With ':from' and ':to' it gives the keys of a range of numbers, as in 'select id
	 * from product where id between :from and :to'.
	 * @param countQuery SQL query that gives the number of keys, for the progress in the
	 * log.
	 * @param fetchSize Number of rows that are fetched from the database at a time.
	 * @param partitions Number of key ranges that are read at the same time, each with a
	 * connection of its own. More than one needs ':from' and ':to' in the query. Default
	 * is 1 for a query. For an entity with an integer id, or a table with an integer as
	 * its primary key, it is the number of processors, at most 4, but 1 on H2, HSQLDB and
	 * SQLite, and with MySQL's Connector/J, where one is faster.
	 * @param maxMemory Memory that a warm-up may take for the bits of the filter, with
	 * the copy of the shard that is being sent. If it is less than they need, the keys
	 * are read several times.
	 * @param recheckEmpty Time after which the sources are read again if they gave not a
	 * single key. Zero to believe at once that there is none.
	 * @param onStartup Whether keys are loaded at start-up if no intact filter is found
	 * ('if-missing'), each time ('always'), or only on demand ('never').
	 * @param blocking Whether the application is not ready to accept traffic before the
	 * filter is complete.
	 * @param allowRoutingDataSource Whether the guard may read the keys in two cases that
	 * stop the start otherwise. The first: the DataSource routes to several databases.
	 * The guard then reads its default one. Allow it only if all of them are copies of
	 * that one. The second: Hibernate's tenants have tables of their own, and the filter
	 * has a 'table'. Allow it only if all tenants share that table.
	 * @param allowRowSecurity Whether keys are read through the row level security of
	 * PostgreSQL. Only if no caller sees more rows than the reader of the keys.
	 */
	record WarmUp(@Nullable String query, @Nullable String countQuery, @DefaultValue("10000") int fetchSize,
			@Nullable Integer partitions, @DefaultValue("64MB") DataSize maxMemory,
			@DefaultValue("5s") Duration recheckEmpty, @DefaultValue("if-missing") OnStartup onStartup,
			@DefaultValue("false") boolean blocking, @DefaultValue("false") boolean allowRoutingDataSource,
			@DefaultValue("false") boolean allowRowSecurity) implements KeyReading {

		@Override
		public RowSecurity rowSecurity() {
			return this.allowRowSecurity ? RowSecurity.ALLOWED : RowSecurity.REFUSED;
		}

	}

	/**
	 * @param query SQL query that gives the keys of the rows after ':mark', in the order
	 * of their marks. The last column is the mark, the ones before are the key; a single
	 * column is both. Rows that may be committed late, behind a row with a higher mark,
	 * need an overlap, such as 'id > :mark - 1000'.
	 * @param start SQL query that gives the highest mark, run before all keys are loaded.
	 * Required with a query.
	 * @param interval How often the query is run, by one of the instances. At most twice
	 * a second.
	 */
	record CatchUp(@Nullable String query, @Nullable String start, @DefaultValue("10s") Duration interval) {

	}

	/**
	 * Following the change log of the database, which has the rows that anybody writes.
	 * Needs the artifact 'bloom-guard-changes', and for MySQL and MariaDB
	 * 'com.zendesk:mysql-binlog-connector-java', too.
	 *
	 * @param enabled Whether the change log of PostgreSQL, MySQL or MariaDB is followed,
	 * by one of the instances.
	 * @param longestWait Longest time that a call for an absent key waits until the log
	 * has been read as far as it went when the call began. Such a call then goes through.
	 * Zero to wait for nothing, so that a row that others write is absent for a moment.
	 * @param table Table with the keys of a query, with its schema if that is not the one
	 * to which the URL and the user lead. Default is the table of the filter or of its
	 * entity.
	 * @param keyColumns Columns of the key, in the order of its parts. Default is the key
	 * of the filter's table, or the column of the entity's key; one of several columns
	 * needs them.
	 */
	record Changes(@DefaultValue("false") boolean enabled, @Name("wait") @DefaultValue("0s") Duration longestWait,
			@Nullable String table, @DefaultValue List<String> keyColumns) {

	}

	/**
	 * @param longestTransaction Longest time between adding a key and committing its row.
	 * In a transaction of Spring's only the commit counts.
	 * @param journalRetention How long added keys are kept in the journal while nothing
	 * is rebuilt.
	 * @param journalMaxMemory Memory that keys added lately may take. If there are more,
	 * they are forgotten, and a rebuild that needs them begins anew.
	 * @param cron Cron expression of six fields that tells when the filter is rebuilt.
	 * @param interval Age at which the filter is rebuilt.
	 * @param maxFalsePositiveFactor Multiple of the configured probability of a false
	 * positive at which the filter is rebuilt, larger. At least one, or zero for never.
	 * @param maxRemovedRatio Share of the keys that have been removed at which the filter
	 * is rebuilt. At most one, or zero for never.
	 * @param settle How long older instances of this application may go on inserting rows
	 * of which the guard is not told. The time counts from the start of the first
	 * instance with these sources. If an instance of a version with other sources is
	 * seen, the time counts from when it was seen last. Until the time is over, the
	 * filter calls no key absent. Then it is loaded again. Set it to zero if no older
	 * instance runs, or if all of them have the guard and add the same keys. Rows of
	 * other programs are no reason to wait, because waiting does not tell the guard of
	 * them. It is zero by itself while you develop: with Spring Boot's devtools,
	 * 'bloom-guard-test' or a database in memory.
	 */
	record Rebuild(@DefaultValue("5s") Duration longestTransaction, @DefaultValue("10m") Duration journalRetention,
			@DefaultValue("256MB") DataSize journalMaxMemory, @Nullable String cron, @Nullable Duration interval,
			@DefaultValue("2") double maxFalsePositiveFactor, @DefaultValue("0.1") double maxRemovedRatio,
			@DefaultValue("10m") Duration settle) {

	}

}
