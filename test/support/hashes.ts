import { createHook } from 'node:async_hooks';

/** @returns how many passwords are hashed meanwhile: argon2 works in the thread pool, and each piece of work is announced. */
export async function hashesDuring(work: () => PromiseLike<unknown>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      // napi-rs gives its work no name; everything of Node's own has one.
      if (type === 'undefined') hashes += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return hashes;
}
