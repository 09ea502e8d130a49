/** What the run found out, each fact beside what was expected. A fact that fails does not stop the others. */
import type { Row } from './screen.ts';

export interface Facts {
  /**
   * Adds a line to the closing table.
   * @param problem why it does not hold, in words; empty where it holds.
   */
  add(label: string, text: string, problem?: string): void;
  readonly rows: readonly Row[];
  /** `label: problem` of each that does not hold. */
  readonly failures: readonly string[];
}

export function createFacts(): Facts {
  const rows: Row[] = [];
  const failures: string[] = [];
  return {
    rows,
    failures,
    add(label, text, problem = '') {
      const holds = problem === '';
      rows.push({ holds, label, text: holds ? text : problem });
      if (!holds) failures.push(`${label}: ${problem}`);
    },
  };
}

/** @returns the first expectation that fails, in words; empty where all hold. */
export function firstProblem(
  ...expectations: readonly (readonly [holds: boolean, problem: string])[]
): string {
  return expectations.find(([holds]) => !holds)?.[1] ?? '';
}
