declare module 'virtual:world-map' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  const world: Topology<{ countries: GeometryCollection }>;
  export default world;
}
