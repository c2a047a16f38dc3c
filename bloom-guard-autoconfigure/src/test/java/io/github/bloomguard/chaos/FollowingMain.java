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

package io.github.bloomguard.chaos;

import java.io.IOException;
import java.util.List;

import io.github.bloomguard.testsupport.GuardApplication;

/**
 * An instance that follows a change log, in a process of its own. It is asked as
 * {@link InstanceMain} is.
 */
final class FollowingMain {

	private FollowingMain() {
	}

	/**
	 * Answer until there are no more questions.
	 * @param args the properties
	 * @throws IOException if that is not possible any more
	 */
	public static void main(String[] args) throws IOException {
		InstanceMain.answer(GuardApplication.start(List.of(), args), Long::valueOf);
	}

}
