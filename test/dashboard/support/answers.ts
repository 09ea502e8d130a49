/** Answers that the service would give on a bad day. Each is undone where its part of the story ends: windows are lent. */
import type { Page, Route } from 'playwright-core';

type Pattern = string | RegExp;

async function withAnswers<T>(
  page: Page,
  pattern: Pattern,
  answer: (route: Route) => Promise<void>,
  story: () => Promise<T>,
): Promise<T> {
  await page.route(pattern, answer);
  try {
    await untilIntercepted(page);
    return await story();
  } finally {
    await page.unroute(pattern, answer);
  }
}

/** The service answers it with 200, as all of the dashboard's addresses, and no story asks for it. */
const PROBE = '/app/is-intercepted';

/** Chromium says that it intercepts a moment before the page does: what is asked meanwhile goes past every route, and nobody is told. */
async function untilIntercepted(page: Page): Promise<void> {
  // Where no script may fetch, the story goes to another page first, which is intercepted from its beginning.
  if (!new URL(page.url()).pathname.startsWith('/app/')) return;
  const isNoContent = (route: Route) => route.fulfill({ status: 204 });
  await page.route(`**${PROBE}`, isNoContent);
  while ((await page.evaluate<number>(`fetch('${PROBE}').then(({ status }) => status)`)) !== 204);
  await page.unroute(`**${PROBE}`, isNoContent);
}

interface Failure {
  status?: number;
  code?: string;
  /** Only requests of this method fail. */
  method?: string;
}

/** The number that a failed request is told under, the same however often it is asked. */
export const numberOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return `no ${pathname}${search}`;
};

/** Fails requests while a part of the story is told. @returns the addresses that failed */
export async function whereFails(
  page: Page,
  pattern: Pattern,
  { status = 500, code = 'INTERNAL', method = 'GET' }: Failure,
  story: () => Promise<unknown>,
): Promise<Set<string>> {
  const failed = new Set<string>();
  const fail = async (route: Route) => {
    const address = route.request().url();
    if (route.request().method() !== method) return route.fallback();
    failed.add(address);
    const problem = { type: 'about:blank', title: code, detail: 'broken by the test', status, code };
    await route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...problem, requestId: numberOf(address) }),
    });
  };
  await withAnswers(page, pattern, fail, story);
  return failed;
}

/** A proxy answers with a page of its own while a part of the story is told: as many requests as that, and lets others through. */
export const whereAway = (
  page: Page,
  pattern: Pattern,
  status: number,
  times: number,
  story: () => Promise<unknown>,
): Promise<unknown> => {
  let left = times;
  return withAnswers(
    page,
    pattern,
    (route) =>
      left-- > 0
        ? route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1><hr>a proxy` })
        : route.fallback(),
    story,
  );
};

/** Keeps answers back while a part of the story is told; they come when it ends. */
export async function whereHeld(page: Page, pattern: Pattern, story: () => Promise<unknown>): Promise<void> {
  let release!: () => void;
  const end = new Promise<void>((resolve) => (release = resolve));
  const going: Promise<void>[] = [];
  const hold = async (route: Route) => {
    going.push(end.then(() => route.fallback()));
  };
  await withAnswers(page, pattern, hold, async () => {
    try {
      await story();
    } finally {
      release();
      await Promise.all(going);
    }
  });
}

/** Does what is asked and loses the answer on its way, the first time at each address; Chromium complains of {@link LOST}. */
export const whereLost = (
  page: Page,
  pattern: Pattern,
  method: string,
  story: () => Promise<unknown>,
): Promise<unknown> => {
  const lost = new Set<string>();
  return withAnswers(
    page,
    pattern,
    async (route) => {
      const address = route.request().url();
      if (lost.has(address) || route.request().method() !== method) return route.fallback();
      lost.add(address);
      await route.fetch();
      await route.abort('connectionreset');
    },
    story,
  );
};

export const LOST = /net::ERR_CONNECTION_RESET/;

/** Answers as the service does, but for a part of the JSON, as long as a part of the story is told. */
export const whereAnswered = <T>(
  page: Page,
  pattern: Pattern,
  part: Record<string, unknown>,
  story: () => Promise<T>,
): Promise<T> =>
  withAnswers(
    page,
    pattern,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...part } });
    },
    story,
  );

/** Takes the window off line while a part of the story is told. Chromium complains of {@link OFFLINE}. */
export async function whereOffline(page: Page, story: () => Promise<unknown>): Promise<void> {
  await page.context().setOffline(true);
  try {
    await story();
  } finally {
    await page.context().setOffline(false);
  }
}

export const OFFLINE = /net::ERR_INTERNET_DISCONNECTED|ApiError: Failed to fetch/;
