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

package io.github.bloomguard.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Refuses requests that say something in a word that the endpoint does not know, which
 * Spring Boot ignores: a misspelt {@code mode} would start a rebuild.
 */
public final class KnownWords implements OperationInvokerAdvisor {

	private static final EndpointId ID = EndpointId.of("bloomguard");

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		if (!ID.equals(endpointId) || operationType != OperationType.WRITE) {
			return invoker;
		}
		Set<String> known = parameters.stream().map(OperationParameter::getName).collect(Collectors.toSet());
		return (context) -> {
			List<String> unknown = context.getArguments()
				.keySet()
				.stream()
				.filter((name) -> !known.contains(name))
				.toList();
			return unknown.isEmpty() ? invoker.invoke(context)
					: BloomGuardEndpointWebExtension.failure(WebEndpointResponse.STATUS_BAD_REQUEST,
							"There is no " + String.join(", ", unknown) + ". Write mode or action, or key for one key");
		};
	}

}
