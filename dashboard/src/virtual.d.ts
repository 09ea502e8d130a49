/** The address of the shapes of the countries. */
declare module 'virtual:world-map' {
  const url: string;
  export default url;
}

/** The address of the large cities. */
declare module 'virtual:cities' {
  const url: string;
  export default url;
}

/** What the navigation and the palette say of each area, by its name. */
declare module 'virtual:labels/*' {
  const labels: Record<string, never>;
  export default labels;
}
