/** The worker's memory over very many deliveries: flat, or it leaks. */
import type { Rig } from './rig.ts';
import { measureOurs } from './throughput.ts';

export interface SoakSample {
  deliveries: number;
  worker_mb: number;
  per_s: number;
}

const EACH = 100_000;

/** Delivers `total` events, in portions, each to endpoints of its own. @returns a sample after each portion */
export async function soak(rig: Rig, endpoints: number, total: number): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  for (let done = 0; done < total;) {
    const portion = Math.min(EACH, total - done);
    const { perSecond } = await measureOurs(rig, endpoints, portion);
    done += portion;
    const sample = { deliveries: done, worker_mb: rig.workerMegabytes(), per_s: Math.round(perSecond) };
    console.log(`${done} deliveries: worker at ${sample.worker_mb} MB, ${sample.per_s}/s`);
    samples.push(sample);
  }
  return samples;
}
