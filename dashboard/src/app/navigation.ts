import { may, type Me } from '../auth/me.ts';
import { AREAS, type NavEntry, type PaletteEntry } from './area.ts';

/** An entry with the namespace of its texts. */
export type Of<Entry> = Entry & { area: string };

export const GROUPS = ['watch', 'goods', 'respond', 'build', 'manage', 'installation'] as const;

/** What this person may open, in order. */
export const navEntries = (me: Me | null): Of<NavEntry>[] =>
  AREAS.flatMap((area) => area.nav.map((entry) => ({ ...entry, area: area.id })))
    .filter((entry) => may(me, entry.needs))
    .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.order - b.order);

export const paletteEntries = (me: Me | null): Of<PaletteEntry>[] =>
  AREAS.flatMap((area) => area.palette.map((entry) => ({ ...entry, area: area.id }))).filter((entry) =>
    may(me, entry.needs),
  );
