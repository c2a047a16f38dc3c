package io.github.bloomguard;

/**
 * A key is of a type that has no canonical form.
 *
 * @since 0.1.0
 */
public class UnsupportedKeyException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception that names the type and the remedy.
	 * @param type the type of the key
	 */
	public UnsupportedKeyException(Class<?> type) {
		super("A key of type " + type.getName() + " has no canonical form: use a number, string, UUID, enum, date,"
				+ " or a record or collection of these, or declare a KeyConverter bean for it", null);
	}

	/**
	 * Create an exception for a key that is no key.
	 * @param problem what is wrong with it
	 */
	public UnsupportedKeyException(String problem) {
		super("A key has no canonical form: " + problem, null);
	}

}
