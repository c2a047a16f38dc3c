package io.github.bloomguard.generation;

/**
 * One mirror of one filter, as others know it. An instance that begins another mirror is
 * another holder.
 *
 * @param instance the instance whose mirror it is
 * @param incarnation tells it from all others of the instance
 * @since 0.1.0
 */
public record Holder(String instance, String incarnation) {

	@Override
	public String toString() {
		return this.instance + "/" + this.incarnation;
	}

}
