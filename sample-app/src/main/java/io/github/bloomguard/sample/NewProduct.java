package io.github.bloomguard.sample;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;

/**
 * A product that has no id yet.
 *
 * @param name what it is called
 * @param price what it costs
 */
public record NewProduct(@NotBlank @Size(max = 200) String name,
		@NotNull @PositiveOrZero @Digits(integer = 10, fraction = 2) BigDecimal price) {
}
