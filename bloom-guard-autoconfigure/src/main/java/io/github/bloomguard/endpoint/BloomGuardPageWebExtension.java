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

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Shows a page to browsers, which ask the endpoint for {@code text/html}.
 */
@ImportRuntimeHints(FilterPage.Hints.class)
@EndpointWebExtension(endpoint = BloomGuardEndpoint.class)
public class BloomGuardPageWebExtension extends BloomGuardEndpointWebExtension {

	private final FilterPage page;

	public BloomGuardPageWebExtension(BloomGuardEndpoint endpoint, boolean readOnly) {
		super(endpoint);
		this.page = new FilterPage(readOnly);
	}

	@ReadOperation(produces = "text/html;charset=UTF-8")
	public String page() {
		return this.page.html();
	}

}
