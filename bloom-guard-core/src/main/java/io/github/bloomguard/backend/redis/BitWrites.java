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

package io.github.bloomguard.backend.redis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.filter.FilterSpecification;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Writes elements to the bits of a filter, in a script of its own or a part of another.
 */
final class BitWrites implements WriteScript {

	/**
	 * Nothing is added to a string with another word, or to what is no string: it would
	 * lack what was in it before. It is deleted, because it may be a filter of another
	 * kind or version of the guard, whose readers must not miss these elements. The
	 * indexes are one argument, each after the number of its digits: Lua would take
	 * longer to receive as many arguments, or to write numbers as text, than Redis takes
	 * to set the bits.
	 */
	static final String WRITE = """
			local function after(at)
			  return at + 4
			end
			local function write(key, at)
			  local word = redis.call('type', key).ok == 'string' and redis.call('getrange', key, ARGV[at], -1)
			  if word ~= ARGV[at + 1] and word ~= ARGV[at + 2] then
			    redis.call('unlink', key)
			    return 0
			  end
			  local indexes, call, byte, sub, i = ARGV[at + 3], redis.call, string.byte, string.sub, 1
			  while i <= #indexes do
			    local last = i + byte(indexes, i)
			    call('setbit', key, sub(indexes, i + 1, last), '1')
			    i = last + 1
			  end
			  return 1
			end
			""";

	static final String WRITE_ONE = WRITE + "return write(KEYS[1], 1)";

	@Override
	public String functions() {
		return WRITE;
	}

	@Override
	public Optional<List<Object>> arguments(String name, FilterSpecification specification,
			Collection<String> elements) {
		Shards shards = Shards.of(specification);
		return (shards.count() > 1) ? Optional.empty()
				: Optional.of(arguments(shards.layout(), SealWord.of(name, shards.layout()),
						elements.stream().map((element) -> shards.place(element).indexes()).toList()));
	}

	@Override
	public int shards(FilterSpecification specification) {
		return Shards.of(specification).count();
	}

	@Override
	public String trials() {
		return "";
	}

	static List<Object> arguments(BloomLayout layout, SealWord word, Collection<long[]> elements) {
		ByteBuf packed = Unpooled.buffer(elements.size() * layout.hashFunctions() * Long.BYTES);
		for (long[] indexes : elements) {
			for (long index : indexes) {
				byte[] digits = Decimal.digits(index);
				packed.writeByte(digits.length).writeBytes(digits);
			}
		}
		return List.of(Decimal.digits(layout.sealOffset() / Byte.SIZE), SealWord.bytes(word.loading()),
				SealWord.bytes(word.sealed()), ByteBufUtil.getBytes(packed));
	}

}
