/** Steps that have nothing to do with each other: one that fails holds up none of the others. */
import type { Logger } from '../../shared/logger.ts';

/**
 * Runs the steps in their order.
 * @param isHopeless whether no other step can do better
 * @throws Error after the last, where any failed; what is hopeless at once
 */
export async function runEach<Report extends object>(
  log: Logger,
  chore: string,
  steps: { [Name in keyof Report]: () => Promise<Report[Name]> },
  isHopeless: (error: unknown) => boolean = () => false,
): Promise<Report> {
  const report: Partial<Report> = {};
  const failed: string[] = [];
  for (const step of Object.keys(steps) as (keyof Report & string)[]) {
    try {
      report[step] = await steps[step]();
    } catch (error) {
      if (isHopeless(error)) throw error;
      log.error({ err: error, step }, `a step of ${chore} failed`);
      failed.push(step);
    }
  }
  if (failed.length > 0) throw new Error(`steps failed: ${failed.join(', ')}`);
  return report as Report;
}
