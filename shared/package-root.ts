/** The folder of `package.json`, whether this runs from the sources or from `dist`. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

export const packageRoot: string = findRoot(import.meta.dirname);
