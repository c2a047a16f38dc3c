package io.github.bloomguard.generation.redisson;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;

/**
 * The control record as a hash, the journal as a stream, the lease as a string with a
 * time to live, and one Lua script for each step, run on the primary.
 * <p>
 * The hash has the fields {@code epoch}; {@code created}; {@code server}, the
 * {@code run_id} of the server on which the active generation was sealed; {@code since}
 * and {@code keep}, the time from which the journal is complete and the one back to which
 * it is needed; and for each generation {@code g:<id>} with its phase, expected
 * insertions, probability, salt and key format.
 *
 * @since 0.1.0
 */
public final class RedissonControlStore implements ControlStore {

	/**
	 * What the scripts share. A key of the wrong type counts as missing and is replaced.
	 * The epoch is at least the clock in microseconds, so it grows although the record
	 * was lost.
	 */
	private static final String PRELUDE = """
			local control, lease, journal = KEYS[1], KEYS[2], KEYS[3]
			local time = redis.call('time')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local function integer(number)
			  return string.format('%.0f', number)
			end
			local function is(key, kind)
			  return redis.call('type', key).ok == kind
			end
			local function bump()
			  local last = tonumber(redis.call('hget', control, 'epoch') or 0)
			  redis.call('hset', control, 'epoch', integer(math.max(last + 1, time[1] * 1000000 + time[2])))
			end
			local function ensure()
			  local recorded = is(control, 'hash')
			  if not recorded then
			    redis.call('del', control)
			    redis.call('hset', control, 'created', integer(now))
			  end
			  if not recorded or not is(journal, 'stream') then
			    redis.call('del', journal)
			    redis.call('hset', control, 'since', integer(now))
			    bump()
			  end
			end
			local function phase(id)
			  local generation = is(control, 'hash') and redis.call('hget', control, 'g:' .. id)
			  return generation and string.match(generation, '^%u+')
			end
			local function move(id, to)
			  local generation = redis.call('hget', control, 'g:' .. id)
			  redis.call('hset', control, 'g:' .. id, (string.gsub(generation, '^%u+', to)))
			end
			local function ids()
			  local result = {}
			  for _, field in ipairs(redis.call('hkeys', control)) do
			    if string.sub(field, 1, 2) == 'g:' then result[#result + 1] = string.sub(field, 3) end
			  end
			  return result
			end
			local function server()
			  local info = redis.pcall('info', 'server')
			  return type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
			end
			local function building(token)
			  return is(lease, 'string') and redis.call('get', lease) == token
			end
			local function record(server)
			  local result = { integer(now), is(journal, 'stream') and '1' or '0', server }
			  if is(control, 'hash') then
			    for _, value in ipairs(redis.call('hgetall', control)) do result[#result + 1] = value end
			  end
			  return result
			end
			""";

	private static final String READ = PRELUDE + "return record(server())";

	private static final String APPEND = PRELUDE + """
			ensure()
			local keep = tonumber(redis.call('hget', control, 'keep') or now)
			local oldest = integer(math.min(now - ARGV[1], keep))
			for i = 2, #ARGV do
			  redis.call('xadd', journal, 'MINID', '~', oldest, '*', 'k', ARGV[i])
			end
			return record('')
			""";

	private static final String ACQUIRE = PRELUDE + """
			if not is(lease, 'string') then redis.call('del', lease) end
			return redis.call('set', lease, ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
			""";

	private static final String RENEW = PRELUDE + """
			return building(ARGV[1]) and redis.call('pexpire', lease, ARGV[2]) or 0
			""";

	private static final String RELEASE = PRELUDE + """
			return building(ARGV[1]) and redis.call('del', lease) or 0
			""";

	private static final String BEGIN = PRELUDE + """
			if not building(ARGV[1]) then return 0 end
			ensure()
			redis.call('xadd', journal, '*', 'b', ARGV[2])
			redis.call('hset', control, 'keep', integer(now - ARGV[4]))
			for _, id in ipairs(ids()) do
			  if phase(id) == 'LOADING' or phase(id) == 'LIVE' then redis.call('hdel', control, 'g:' .. id) end
			end
			redis.call('hset', control, 'g:' .. ARGV[2], 'LOADING|' .. ARGV[3])
			bump()
			return 1
			""";

	private static final String GO_LIVE = PRELUDE + """
			if not building(ARGV[1]) or phase(ARGV[2]) ~= 'LOADING' then return 0 end
			move(ARGV[2], 'LIVE')
			bump()
			return 1
			""";

	private static final String ACTIVATE = PRELUDE + """
			if not building(ARGV[1]) or phase(ARGV[2]) ~= 'LIVE' then return 0 end
			if not is(journal, 'stream') or redis.call('hget', control, 'since') ~= ARGV[3] then return 0 end
			for _, id in ipairs(ids()) do
			  if phase(id) == 'ACTIVE' then move(id, 'RETIRED') end
			end
			move(ARGV[2], 'ACTIVE')
			redis.call('hset', control, 'server', server())
			redis.call('hdel', control, 'keep')
			bump()
			return 1
			""";

	private static final String DROP = PRELUDE + """
			if not is(control, 'hash') then return 0 end
			local dropped = 0
			for i = 1, #ARGV do dropped = dropped + redis.call('hdel', control, 'g:' .. ARGV[i]) end
			if dropped > 0 then bump() end
			return dropped
			""";

	private static final String JOURNAL = PRELUDE + """
			if not is(journal, 'stream') then return { '' } end
			local entries = redis.call('xrange', journal, '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
			local result = { #entries > 0 and entries[#entries][1] or '' }
			for _, entry in ipairs(entries) do
			  if entry[2][1] == 'k' then result[#result + 1] = entry[2][2] end
			end
			return result
			""";

	private final FilterKeys keys;

	private final RScript script;

	private final Duration journalRetention;

	/**
	 * Create a store.
	 * @param redisson the client
	 * @param keys the names of the keys
	 * @param timeout the longest wait for each attempt
	 * @param journalRetention how long added keys are kept in the journal while nothing
	 * is built
	 */
	public RedissonControlStore(RedissonClient redisson, FilterKeys keys, Duration timeout, Duration journalRetention) {
		this.keys = keys;
		this.script = redisson
			.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).timeout(timeout).retryAttempts(1));
		this.journalRetention = journalRetention;
	}

	@Override
	public CompletableFuture<ControlRecord> read() {
		return list(READ).thenApply(this::toRecord);
	}

	@Override
	public CompletableFuture<ControlRecord> append(Collection<String> keys) {
		return list(APPEND, Stream.concat(Stream.of(millis(this.journalRetention)), keys.stream()).toArray())
			.thenApply(this::toRecord);
	}

	@Override
	public CompletableFuture<Boolean> acquire(String token, Duration lease) {
		return changed(ACQUIRE, token, millis(lease));
	}

	@Override
	public CompletableFuture<Boolean> renew(String token, Duration lease) {
		return changed(RENEW, token, millis(lease));
	}

	@Override
	public CompletableFuture<Void> release(String token) {
		return changed(RELEASE, token).thenApply((released) -> null);
	}

	@Override
	public CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep) {
		return changed(BEGIN, token, generation.id(), describe(generation), millis(keep));
	}

	@Override
	public CompletableFuture<Boolean> goLive(String token, String id) {
		return changed(GO_LIVE, token, id);
	}

	@Override
	public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
		return changed(ACTIVATE, token, id, String.valueOf(journalSince));
	}

	@Override
	public CompletableFuture<Void> drop(Collection<String> ids) {
		return changed(DROP, ids.toArray()).thenApply((dropped) -> null);
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		return list(JOURNAL, after, String.valueOf(count))
			.thenApply((reply) -> new JournalPage(List.copyOf(reply.subList(1, reply.size())), reply.get(0)));
	}

	private CompletableFuture<Boolean> changed(String lua, Object... arguments) {
		return this.<Long>eval(lua, ReturnType.LONG, arguments).thenApply((count) -> count > 0);
	}

	private CompletableFuture<List<String>> list(String lua, Object... arguments) {
		return eval(lua, ReturnType.LIST, arguments);
	}

	private <R> CompletableFuture<R> eval(String lua, ReturnType type, Object... arguments) {
		List<Object> names = List.of(this.keys.control(), this.keys.lease(), this.keys.journal());
		return this.script.<R>evalAsync(Mode.READ_WRITE, lua, type, names, arguments).toCompletableFuture();
	}

	private ControlRecord toRecord(List<String> reply) {
		long now = Long.parseLong(reply.get(0));
		boolean journal = "1".equals(reply.get(1));
		String server = reply.get(2);
		long epoch = 0;
		long since = 0;
		long created = now;
		String sealedOn = server;
		List<Generation> generations = new ArrayList<>();
		for (int i = 3; i < reply.size(); i += 2) {
			String value = reply.get(i + 1);
			switch (reply.get(i)) {
				case "epoch" -> epoch = Long.parseLong(value);
				case "since" -> since = Long.parseLong(value);
				case "created" -> created = Long.parseLong(value);
				case "server" -> sealedOn = value;
				default -> {
					if (reply.get(i).startsWith("g:")) {
						generations.add(generation(reply.get(i).substring(2), value.split("\\|")));
					}
				}
			}
		}
		return new ControlRecord(epoch, List.copyOf(generations), server.isEmpty() || server.equals(sealedOn),
				journal ? since : 0, now, created);
	}

	private Generation generation(String id, String[] parts) {
		FilterSpecification specification = new FilterSpecification(this.keys.filter(), Long.parseLong(parts[1]),
				Double.parseDouble(parts[2]));
		return new Generation(id, specification, Long.parseLong(parts[3]), parts[4], Integer.parseInt(parts[5]),
				Instant.ofEpochMilli(Long.parseLong(parts[6])), Phase.valueOf(parts[0]));
	}

	private static String describe(Generation generation) {
		FilterSpecification specification = generation.specification();
		return specification.expectedInsertions() + "|" + specification.falsePositiveProbability() + "|"
				+ generation.configuredInsertions() + "|" + generation.salt() + "|" + generation.keyFormat() + "|"
				+ generation.createdAt().toEpochMilli();
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

}
