package io.github.bloomguard.backend.redis;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.filter.FilterSpecification;

/**
 * Writes elements to the bits of a filter, in a script of its own or as a part of
 * another.
 */
final class BitWrites implements ElementWrites {

	static final BitWrites INSTANCE = new BitWrites();

	/**
	 * Nothing is added to a string whose word is another, or to what is no string: it
	 * would have to be created, and would lack whatever was in it before. A filter of
	 * another kind is deleted: whoever asks it must not miss them.
	 */
	static final String WRITE = """
			local function after(at)
			  return at + 4 + tonumber(ARGV[at + 3])
			end
			local function write(key, at)
			  if redis.call('type', key).ok ~= 'string' then
			    redis.call('unlink', key)
			    return 0
			  end
			  local word = redis.call('getrange', key, ARGV[at], -1)
			  if word ~= ARGV[at + 1] and word ~= ARGV[at + 2] then return 0 end
			  for i = at + 4, after(at) - 1 do redis.call('setbit', key, ARGV[i], 1) end
			  return 1
			end
			""";

	static final String WRITE_ONE = WRITE + "return write(KEYS[1], 1)";

	private static final int BEFORE_BITS = 4;

	private BitWrites() {
	}

	@Override
	public String functions() {
		return WRITE;
	}

	@Override
	public List<Object> arguments(String name, FilterSpecification specification, Collection<String> elements) {
		BloomLayout layout = BloomLayout.of(specification);
		return arguments(layout, SealWord.of(name, layout), elements);
	}

	@Override
	public String trials() {
		return "";
	}

	/**
	 * Return what the script needs to know.
	 * @param layout the layout of the filter
	 * @param word its word
	 * @param elements the elements
	 */
	static List<Object> arguments(BloomLayout layout, SealWord word, Collection<String> elements) {
		int each = layout.hashFunctions();
		long[] indexes = new long[each];
		Object[] arguments = new Object[BEFORE_BITS + elements.size() * each];
		arguments[0] = Decimal.digits(layout.sealOffset() / Byte.SIZE);
		arguments[1] = SealWord.bytes(word.loading());
		arguments[2] = SealWord.bytes(word.sealed());
		arguments[3] = Decimal.digits((long) elements.size() * each);
		int next = BEFORE_BITS;
		for (String element : elements) {
			layout.indexes(element, indexes, 0);
			for (long index : indexes) {
				arguments[next++] = Decimal.digits(index);
			}
		}
		return List.of(arguments);
	}

}
