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

package io.github.bloomguard.generation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The modes that the filters of one name were given at run time. Applications that share
 * a Redis have a filter each: a switch is that of one of them, or of all that have none
 * of their own. Applications are named as in an {@link Origin}.
 *
 * @param everywhere that of all, {@code null} if there is none
 * @param own those of single applications
 * @param exempt applications that have taken that of all back for themselves
 */
public record ModeSwitches(@Nullable ModeSwitch everywhere, Map<String, ModeSwitch> own, Set<String> exempt) {

	public static final ModeSwitches NONE = new ModeSwitches(null, Map.of(), Set.of());

	public ModeSwitches {
		own = Map.copyOf(own);
		exempt = Set.copyOf(exempt);
	}

	/**
	 * Return the switch that counts in an application, {@code null} if none does.
	 */
	public @Nullable ModeSwitch of(String application) {
		ModeSwitch own = this.own.get(application);
		return (own != null || this.exempt.contains(application)) ? own : this.everywhere;
	}

	/**
	 * Switch one application, or take its switch back.
	 */
	ModeSwitches with(String application, @Nullable ModeSwitch to) {
		Map<String, ModeSwitch> own = new HashMap<>(this.own);
		Set<String> exempt = new HashSet<>(this.exempt);
		own.remove(application);
		exempt.remove(application);
		if (to != null) {
			own.put(application, to);
		}
		else if (this.everywhere != null) {
			exempt.add(application);
		}
		return new ModeSwitches(this.everywhere, own, exempt);
	}

	/**
	 * Switch all applications, also those that have a switch of their own, or take all
	 * switches back.
	 */
	ModeSwitches withAll(@Nullable ModeSwitch to) {
		return new ModeSwitches(to, Map.of(), Set.of());
	}

	/**
	 * Bring back what a record that was lost has said, unless something else counts now.
	 */
	ModeSwitches restored(String application, ModeSwitch lost) {
		if (this.exempt.contains(application) || of(application) != null) {
			return this;
		}
		return lost.everywhere() ? new ModeSwitches(lost, this.own, this.exempt) : with(application, lost);
	}

	/**
	 * Return the applications with a switch of their own, or exempt from that of all.
	 */
	public Set<String> applications() {
		return Stream.concat(this.own.keySet().stream(), this.exempt.stream()).collect(Collectors.toSet());
	}

}
