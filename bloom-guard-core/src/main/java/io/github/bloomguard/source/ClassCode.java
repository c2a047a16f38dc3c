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

package io.github.bloomguard.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;
import org.springframework.util.ClassUtils;

/**
 * The code of the class of a bean, which tells it from a class of the same name in
 * another version of the application: the number of an anonymous class says nothing about
 * it, and a class with a query in its code keeps its name when the query changes.
 * Instances that run the same version have the same code.
 */
final class ClassCode {

	private static final Log logger = LogFactory.getLog(ClassCode.class);

	private ClassCode() {
	}

	/**
	 * Return the class files of a bean's class and its superclasses, without those that
	 * can't be read, as of classes that are made at run time.
	 */
	static List<String> of(Object bean) {
		List<String> files = new ArrayList<>();
		for (Class<?> type = ClassUtils.getUserClass(bean); type != null
				&& type != Object.class; type = type.getSuperclass()) {
			try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
				if (file != null) {
					files.add(new String(file.readAllBytes(), StandardCharsets.ISO_8859_1));
				}
			}
			catch (IOException ex) {
				logger.debug(LogMessage.format("The code of %s could not be read", type.getName()), ex);
			}
		}
		return files;
	}

}
