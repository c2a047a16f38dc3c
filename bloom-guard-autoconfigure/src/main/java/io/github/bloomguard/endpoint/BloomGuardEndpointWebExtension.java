package io.github.bloomguard.endpoint;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Says 404 over HTTP where there is no filter of a name. Of operations that change
 * something Spring Boot makes 204 of nothing, as if it had been done.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = BloomGuardEndpoint.class)
public class BloomGuardEndpointWebExtension {

	private final BloomGuardEndpoint endpoint;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 */
	public BloomGuardEndpointWebExtension(BloomGuardEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Start to build a new generation of a filter.
	 * @param filter its name
	 * @return its report
	 */
	@WriteOperation
	public WebEndpointResponse<FilterReport> rebuild(@Selector String filter) {
		return response(this.endpoint.rebuild(filter));
	}

	/**
	 * Acknowledge the false negatives of a filter.
	 * @param filter its name
	 * @return its report
	 */
	@DeleteOperation
	public WebEndpointResponse<FilterReport> acknowledgeFalseNegatives(@Selector String filter) {
		return response(this.endpoint.acknowledgeFalseNegatives(filter));
	}

	private static WebEndpointResponse<FilterReport> response(@Nullable FilterReport report) {
		return (report != null) ? new WebEndpointResponse<>(report)
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
