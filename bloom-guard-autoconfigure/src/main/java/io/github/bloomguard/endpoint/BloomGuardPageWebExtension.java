package io.github.bloomguard.endpoint;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Shows a page to whoever asks the endpoint for {@code text/html}, as browsers do.
 *
 * @since 0.1.0
 */
@ImportRuntimeHints(FilterPage.Hints.class)
@EndpointWebExtension(endpoint = BloomGuardEndpoint.class)
public class BloomGuardPageWebExtension extends BloomGuardEndpointWebExtension {

	private final FilterPage page;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 * @param readOnly whether the page has no buttons that change something
	 */
	public BloomGuardPageWebExtension(BloomGuardEndpoint endpoint, boolean readOnly) {
		super(endpoint);
		this.page = new FilterPage(readOnly);
	}

	/**
	 * Show the page, which is the same at any time: it asks for what it shows.
	 * @return the page
	 */
	@ReadOperation(produces = "text/html;charset=UTF-8")
	public String page() {
		return this.page.html();
	}

}
