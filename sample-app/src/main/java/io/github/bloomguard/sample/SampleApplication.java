package io.github.bloomguard.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A product catalogue that anyone can start and attack. {@link ProductCatalogue} is the
 * class to read first.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Start the application.
	 * @param args the command line
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
