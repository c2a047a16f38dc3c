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

package io.github.bloomguard.autoconfigure.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the guard speaks TLS as the application does, with a server that has a
 * certificate of its own.
 */
@Tag("slow")
class RedisTlsTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	private static Path directory;

	@BeforeAll
	static void makeCertificate() throws Exception {
		Path store = directory.resolve("redis.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "redis", "-keyalg", "RSA", "-dname", "CN=localhost", "-ext",
				"san=dns:localhost,ip:127.0.0.1", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass",
				new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream stored = Files.newInputStream(store)) {
			keys.load(stored, PASSWORD);
		}
		write("redis.crt", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
		write("redis.key", "PRIVATE KEY", keys.getKey("redis", PASSWORD).getEncoded());
	}

	private static void write(String file, String kind, byte[] content) throws IOException {
		Files.writeString(directory.resolve(file), "-----BEGIN " + kind + "-----\n"
				+ Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + kind + "-----\n");
	}

	@Test
	void filterAnswersWithTheCertificatesOfABundle() throws IOException {
		int port = freePort();
		try (TestRedis redis = start(port);
				GuardApplication application = application(port, "spring.data.redis.ssl.bundle=redis",
						"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + directory.resolve("redis.crt"))) {
			application.awaitReady();
			assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 101)).isEqualTo(Membership.ABSENT);
			assertThat(redis.keys("bloom-guard:*")).isNotEmpty();
			application.guard().add("products", 101);
			assertThat(application.guard().membership("products", 101)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void serverWhoseCertificateTheApplicationDoesNotTrustIsNotAsked() throws IOException {
		int port = freePort();
		try (TestRedis redis = start(port);
				GuardApplication application = application(port, "spring.data.redis.ssl.enabled=true")) {
			assertThat(application.guard().membership("products", 101)).isEqualTo(Membership.UNKNOWN);
			assertThat(redis.keys("*")).isEmpty();
		}
	}

	private static TestRedis start(int port) {
		return TestRedis.start("--tls-port", String.valueOf(port), "--tls-cert-file",
				directory.resolve("redis.crt").toString(), "--tls-key-file", directory.resolve("redis.key").toString(),
				"--tls-ca-cert-file", directory.resolve("redis.crt").toString(), "--tls-auth-clients", "no");
	}

	private static GuardApplication application(int port, String... ssl) {
		return GuardApplication.start(List.of(new Keys("products", 100)),
				Stream
					.concat(Stream.of("spring.data.redis.host=localhost", "spring.data.redis.port=" + port),
							Stream.of(ssl))
					.toArray(String[]::new));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
