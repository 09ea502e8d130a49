/**
 * `npm run bench -- unknown-codes [--answers N] [--json]`: can a stranger with a watch tell a forged token (refused without a
 * look-up) from one with a genuine tag that is no unit's (looked up)? The two in turns, over a few connections, against the
 * service as it is installed. `told_apart` is the chance to guess right which of two answers was the forged one; 0.5 is luck.
 */
import { parseArgs } from 'node:util';
import { numberOf } from './lib/options.ts';
import { open } from './lib/http-load.ts';
import { setStage, type Stage } from './lib/verify-stage.ts';

const CONNECTIONS = 4;
const UNITS = 20_000;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { answers: { type: 'string', default: '4000' } } });
  const answers = numberOf('--answers', values.answers);
  const stage = await setStage(UNITS);
  try {
    await measure(stage, 200);
    const { forged, nobodys } = await measure(stage, answers);
    const result = {
      answers_each: forged.length,
      forged_ms: summary(forged),
      nobodys_ms: summary(nobodys),
      told_apart: Number(earlierShare(forged, nobodys).toFixed(3)),
    };
    console.log(result);
    return result;
  } finally {
    await stage.close();
  }
}

const flipLast = (token: string) => token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

async function measure(stage: Stage, answers: number): Promise<{ forged: number[]; nobodys: number[] }> {
  const [forged, nobodys]: [number[], number[]] = [[], []];
  let left = answers;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await open(stage.webPort);
      while (left-- > 0) {
        const token = stage.tokenOfNobody();
        for (const [asked, times] of [
          [flipLast(token), forged],
          [token, nobodys],
        ] as const) {
          const started = performance.now();
          const { status } = await connection.request(`/v/${asked}`, 'Accept: application/json\r\n');
          times.push(performance.now() - started);
          if (status !== 404) throw new Error(`answered ${status}`);
        }
      }
      connection.close();
    }),
  );
  return { forged, nobodys };
}

function summary(times: readonly number[]): { mean: number; p10: number; p50: number; p90: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Number(sorted[Math.floor(sorted.length * share)]!.toFixed(1));
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  return { mean: Number(mean.toFixed(2)), p10: at(0.1), p50: at(0.5), p90: at(0.9) };
}

/** How often one of the first is earlier than one of the second, over all pairs: the area under the ROC curve. */
function earlierShare(first: readonly number[], second: readonly number[]): number {
  const sorted = second.toSorted((a, b) => a - b);
  let later = 0;
  for (const ms of first) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! > ms) high = middle;
      else low = middle + 1;
    }
    later += sorted.length - low;
  }
  return later / (first.length * second.length);
}
