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

/**
 * A filter for routes of Spring Cloud Gateway, which answers requests for keys that exist
 * nowhere.
 * <p>
 * <b>The problem.</b> A gateway has no rows and no methods that find any. It forwards a
 * request for a product that does not exist to the service that owns the products, and an
 * attacker makes it do so as often as the gateway can.
 * <p>
 * <b>The structure.</b> {@code BloomGuardedGatewayFilterFactory} makes a filter for
 * routes of the reactive gateway, {@code GuardedRouteFilter};
 * {@code BloomGuardedFilterFunctions} one for those of the gateway on servlets. Both ask
 * a {@code GuardedFilter} for the key that a {@code KeyTemplate} makes of the path, and
 * tell it what the forwarded request has found ({@code RouteOutcome}).
 * {@code RoutesCheck} looks whether routes have the variables that keys name.
 * <p>
 * <b>What must hold.</b> A request is answered only if the filter would answer a call. No
 * thread of an event loop waits. What is forwarded to find out whether an answer is true
 * does not touch the exchange of the client that was answered ({@code BehindAnswer}).
 * <p>
 * <b>What may be touched.</b> Each kind of gateway is known by its own classes only, so
 * that an application needs one of them.
 */
@NullMarked
package io.github.bloomguard.gateway;

import org.jspecify.annotations.NullMarked;
