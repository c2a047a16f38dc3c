package io.github.bloomguard.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.filter.KeyFormat;
import org.jspecify.annotations.Nullable;

/**
 * Says where the keys of a filter come from: a generation with keys of another origin is
 * not asked. Instances of the same application with the same configuration agree on it.
 */
final class KeyOrigin {

	private static final int BYTES = 8;

	private KeyOrigin() {
	}

	/**
	 * Return the origin of the keys of a filter.
	 * @param application names the application
	 * @param sources give the keys
	 * @param converters give them their form
	 * @param catchUp adds keys of rows that others write, {@code null} if nothing does
	 * @return hexadecimal digits
	 */
	static String of(String application, Collection<KeySource> sources, Collection<KeyConverter<?>> converters,
			@Nullable CatchUpSpecification catchUp) {
		List<String> parts = new ArrayList<>(List.of(String.valueOf(KeyFormat.VERSION), application));
		sources.stream().map(KeySource::fingerprint).sorted().forEach(parts::add);
		converters.stream()
			.map((converter) -> "converter " + converter.type().getName() + " " + converter.getClass().getName())
			.forEach(parts::add);
		if (catchUp != null) {
			parts.add("catch-up " + catchUp.query());
			parts.add("from " + catchUp.start());
		}
		return hash(parts);
	}

	private static String hash(List<String> parts) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (String part : parts) {
				byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
				digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
				digest.update(bytes);
			}
			return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
