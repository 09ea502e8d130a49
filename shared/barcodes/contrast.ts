/** One channel of sRGB as linear light, 0 to 1 (WCAG 2.2, relative luminance). */
function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function channels(colour: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [linear((value >>> 16) & 255), linear((value >>> 8) & 255), linear(value & 255)];
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * How much lighter the background is: WCAG's contrast ratio, 21 for black on white, and below 1 when the
 * foreground is the lighter one. Colours are `#rrggbb`.
 */
export function contrastRatio(background: string, foreground: string): number {
  return (luminance(background) + 0.05) / (luminance(foreground) + 0.05);
}

/** The same in red light alone. */
export function redContrastRatio(background: string, foreground: string): number {
  return (channels(background)[0] + 0.05) / (channels(foreground)[0] + 0.05);
}
