package io.github.bloomguard.compatibility.listing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The program.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching
public class ListingApplication {

	/**
	 * Start the application, list what it is made of, and end it.
	 * @param args properties as {@code --name=value}; {@code --listing} names the file
	 * @throws IOException if it can't be written
	 */
	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext context = SpringApplication.run(ListingApplication.class, args)) {
			Files.write(Path.of(context.getEnvironment().getRequiredProperty("listing")), new Listing(context).lines());
		}
	}

}
