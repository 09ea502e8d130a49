const luminanceOf = (color: string): number => {
  const [red, green, blue] = color
    .match(/\d+/g)!
    .map((channel) => Number(channel) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

/** Of two colours as browsers compute them, `rgb(…)`. @returns their contrast, 1 to 21 (WCAG 2.2) */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}
