package io.github.bloomguard.backend.redis;

/**
 * How a script learns which server runs it. Another process has another {@code run_id},
 * also if it is the same server after a restart.
 */
final class RunId {

	/**
	 * Defines {@code server()}.
	 */
	static final String SCRIPT = """
			local function server()
			  local id = string.match(redis.call('info', 'server'), 'run_id:(%w+)')
			  return id or error('it is not known which server answers, because INFO gives no run_id')
			end
			""";

	private RunId() {
	}

}
