/** What a command answers. */

// A reader that has seen enough (`| head`) is no error. Whatever else loses an answer is one, such as a disk that is full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode);
  console.error(`error: standard output: ${error.message}`);
  process.exit(1);
});

/** A line. Other than by `console.log`, which says nothing of one that could not be written. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
