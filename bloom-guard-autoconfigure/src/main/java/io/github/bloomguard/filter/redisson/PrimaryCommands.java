package io.github.bloomguard.filter.redisson;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.ObjectParams;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

/**
 * Sends commands for which Redisson has no public method, always to the primary. What is
 * used of Redisson's insides, here and for the layout of the bits, may change with any
 * release of it; whoever uses this class must be able to do without.
 */
final class PrimaryCommands {

	private final CommandAsyncExecutor executor;

	/**
	 * Create an instance.
	 * @param redisson the client
	 * @param options the longest wait and how often to try again
	 * @throws ClassCastException if it is not Redisson's own client
	 */
	PrimaryCommands(RedissonClient redisson, OptionalOptions options) {
		this.executor = ((Redisson) redisson).getCommandExecutor().copy((ObjectParams) options);
	}

	/**
	 * Return the name that a key really has in Redis.
	 * @param name the name that Redisson's objects are given
	 */
	String map(String name) {
		return this.executor.getServiceManager().getNameMapper().map(name);
	}

	/**
	 * Send a command.
	 * @param key the key that decides where it is sent
	 * @param command the command, which has to convert the reply itself
	 * @param params all its arguments, the key included; byte arrays are sent as they are
	 */
	<R> CompletableFuture<R> send(String key, RedisCommand<R> command, Object... params) {
		return this.executor.<R, R>writeAsync(key, StringCodec.INSTANCE, command, params).toCompletableFuture();
	}

	/**
	 * Run a script.
	 * @param key its only key
	 * @param script the script, which returns a number
	 * @param params its arguments; byte arrays are sent as they are
	 * @return whether the number is 1
	 */
	CompletableFuture<Boolean> eval(String key, String script, Object... params) {
		return eval(List.of(key), script, params);
	}

	/**
	 * Run a script.
	 * @param keys its keys, all in the same slot
	 * @param script the script, which returns a number
	 * @param params its arguments; byte arrays are sent as they are
	 * @return whether the number is 1
	 */
	CompletableFuture<Boolean> eval(List<String> keys, String script, Object... params) {
		return this.executor
			.<Boolean, Boolean>evalWriteAsync(keys.get(0), StringCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN, script,
					List.copyOf(keys), params)
			.toCompletableFuture();
	}

}
