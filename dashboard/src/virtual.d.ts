declare module 'virtual:world-map' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  const world: Topology<{ countries: GeometryCollection }>;
  export default world;
}

declare module 'virtual:cities' {
  /** Name, country (ISO 3166-1 alpha-2), latitude, longitude, inhabitants in thousands; the largest first. */
  const cities: readonly (readonly [string, string, number, number, number])[];
  export default cities;
}
