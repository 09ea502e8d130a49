/** Phones of several people, each in a network of its own, with cookies and storage that no other has. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' };

/** To be called in a `describe`: its phones are put away after each test. @returns what opens another one; @param ip of its network */
export function phones(): (baseURL: string, ip: string, options?: BrowserContextOptions) => Promise<Page> {
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  return async (baseURL, ip, options = {}) => {
    const browser = await sharedBrowser();
    const own = { ...PHONE, baseURL, extraHTTPHeaders: { 'x-forwarded-for': ip }, ...options };
    const context = await browser.newContext(own);
    contexts.push(context);
    return context.newPage();
  };
}
