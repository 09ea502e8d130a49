/** Why a process ends before it does its work, in words for whoever runs it: which setting, and what is the matter with it. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** What a failed connection says. A host with several addresses fails with all of their errors in one, which has a code and no words. */
export const reasonOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
};

/** The last words of a process that cannot start. A stack is for what nobody foresaw. */
export const lastWords = (error: unknown): string =>
  `${error instanceof StartError ? error.message : (error as Error).stack}\n`;
