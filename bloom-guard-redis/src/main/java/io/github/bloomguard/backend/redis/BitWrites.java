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
import io.github.bloomguard.lua.LuaFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Writes elements to the bits of a filter, in a script of its own or a part of another.
 */
final class BitWrites implements WriteScript {

	static final String WRITE = LuaFile.read(BitWrites.class, "bits/functions");

	static final String WRITE_ONE = WRITE + LuaFile.read(BitWrites.class, "bits/write");

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
