/** Where somebody wanted to go before they were asked to sign in. */

/** In this tab alone, over the way to an organization's provider and back. */
const KEPT = 'touchstone-next';

/** Only a place in here: `//elsewhere` would be another host. */
const safe = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

/** For `navigate`. */
export const placeAt = (next: string | undefined) => {
  const place = safe(next);
  return { href: `/app${place}`, to: place, replace: true };
};

export function keepPlace(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, next);
}

export const keptPlace = (): string | undefined => sessionStorage.getItem(KEPT) ?? undefined;

export function takePlace(): string | undefined {
  const next = keptPlace();
  keepPlace(undefined);
  return next;
}
