import { measureRendering, renderingTable } from './lib/mint-render.ts';

/** Measures minting: how fast symbols are rendered. `npm run bench -- mint --json` */
export async function run(): Promise<Record<string, unknown>> {
  const rendering = await measureRendering();
  console.log(renderingTable(rendering));
  return { ...rendering };
}
