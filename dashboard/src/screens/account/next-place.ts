/** Where somebody wanted to go before they were asked to sign in. */

/** In this tab alone, over the way to an organization's provider and back. */
const KEPT = 'touchstone-sign-in';

/** Only a place in here: `//elsewhere` would be another host. */
const safe = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

/** For `navigate`. */
export const placeAt = (next: string | undefined) => {
  const place = safe(next);
  return { href: `/app${place}`, to: place, replace: true };
};

/** How the sign-in page was left, for whoever is refused and goes back to it. */
export interface Begun {
  next?: string | undefined;
  /** By whose provider, where the address does not tell. */
  organization?: string | undefined;
}

export const keepBegun = (begun: Begun): void => sessionStorage.setItem(KEPT, JSON.stringify(begun));

export const keptBegun = (): Begun => JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Begun;

export function takePlace(): string | undefined {
  const { next } = keptBegun();
  sessionStorage.removeItem(KEPT);
  return next;
}
