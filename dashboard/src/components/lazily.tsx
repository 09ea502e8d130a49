/**
 * Parts that are fetched when they are first shown. The router's own `lazyRouteComponent` loads the page again when a file
 * does not come, which off line ends at the browser's error page; `React.lazy` never asks a second time.
 */
import { createElement, use, type ComponentType, type ReactNode } from 'react';
import { ApiError, errorOf, reach } from '../api/errors.ts';

/** Of the tab: for which builds its page was loaded again. */
const RELOADED = 'touchstone-reloaded-for';

const PATIENCE_MS = 3_000;

const PAGE = import.meta.env.BASE_URL;

/** What forgets that a part did not come, for each of which that is so. */
const failed = new Set<() => void>();

/** What did not come is fetched again when it is next shown. */
export function fetchAgain(): void {
  for (const forget of failed) forget();
  failed.clear();
}

const scriptsIn = (page: Document): string[] =>
  [...page.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')!);

/** @returns the scripts of the page as the service has it now. @throws ApiError where it does not answer */
async function scriptsNow(): Promise<string> {
  const response = await reach(PAGE, { cache: 'no-store', headers: { Accept: 'text/html' } });
  if (!response.ok) throw await errorOf(response);
  return scriptsIn(new DOMParser().parseFromString(await response.text(), 'text/html')).join(' ');
}

/**
 * A file that does not come may be away with the service, which is said; or gone with its build, whose page must make room for
 * that of the next. Once for each build: behind a proxy that mixes two of them the page would be loaded for ever.
 */
async function explain(failure: unknown): Promise<void> {
  const now = await scriptsNow();
  if (now === scriptsIn(document).join(' ')) return;
  const before = sessionStorage.getItem(RELOADED) ?? '';
  if (before.split('\n').includes(now)) throw failure;
  sessionStorage.setItem(RELOADED, `${before}\n${now}`);
  location.reload();
  // Nothing is shown for the moment that this page has left.
  await new Promise(() => {});
}

async function insist<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (failure) {
    await explain(failure);
    return load();
  }
}

/** For what is beside a screen, which must not go with it: waits for the service to be back. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await insist(load);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.isPassing)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
}

export type Lazy<Props> = ((props: Props) => ReactNode) & {
  /** Fetches it beforehand; where that fails, showing it tries again. */
  preload: () => Promise<void>;
};

/**
 * @param load fetches the part; within a `Suspense`. Throws `ApiError` where the service cannot be reached.
 * @param insistOn {@link patiently} for what is beside a screen
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  insistOn = insist,
): Lazy<Props> {
  let part: ComponentType<Props> | null = null;
  let fetching: Promise<unknown> | null = null;
  let shown: Promise<ComponentType<Props>> | null = null;
  const fetchPart = async () => {
    fetching ??= load()
      .then((loaded) => (part = loaded))
      .finally(() => (fetching = null));
    await fetching;
    return part!;
  };
  const forget = () => {
    shown = null;
  };
  const show = async () => {
    try {
      return await insistOn(fetchPart);
    } catch (failure) {
      // Kept until somebody asks again: React renders anew what has thrown, which would fetch for ever.
      failed.add(forget);
      throw failure;
    }
  };
  const Part = (props: Props) => createElement(part ?? use((shown ??= show())), props);
  const preload = async () => {
    if (failed.delete(forget)) forget();
    // Nobody has asked for it yet: nothing is said, and no page loaded again.
    await fetchPart().catch(() => undefined);
  };
  return Object.assign(Part, { preload });
}
