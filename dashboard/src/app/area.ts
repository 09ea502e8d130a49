/**
 * What an area of the dashboard declares. Each folder of `screens/` exports `area` from its `area.ts`; the shell finds it
 * there, so that an area is added without touching any other file. Its texts are `screens/AREA/locales/LANGUAGE.json`.
 */
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Need } from '../auth/me.ts';

export interface NavEntry {
  /** An address below `/app`, such as `/products`. */
  to: string;
  /** Key in the area's texts. */
  label: string;
  icon: Icon;
  /** Position in the navigation, smallest first; see the README for who has which number. */
  order: number;
  group: 'watch' | 'goods' | 'respond' | 'build' | 'manage' | 'installation';
  /** Left out of the navigation where the person lacks it. */
  needs?: Need;
}

export interface PaletteEntry {
  id: string;
  /** Key in the area's texts. */
  label: string;
  to: string;
  /** Filters in the address. */
  search?: Record<string, string>;
  icon: Icon;
  needs?: Need;
  /** Further words that find it, as a key of the area's texts. */
  keywords?: string;
}

export interface ScreenRoute {
  /** As TanStack Router writes it: `/products/$id`. */
  path: string;
  /** A module of its own, loaded when opened, that exports the component `Screen`. */
  load: () => Promise<{ Screen: ComponentType }>;
  /** Whoever lacks it sees what they would need instead of the screen. */
  needs?: Need;
}

export interface Area {
  /** The folder's name, and the namespace of its texts. */
  id: string;
  /** Further areas whose texts its screens show. */
  texts?: readonly string[];
  nav: readonly NavEntry[];
  routes: readonly ScreenRoute[];
  palette: readonly PaletteEntry[];
  /**
   * For whom its screens are: the signed-in members of an organization, within the shell, unless said; `anybody` (the account
   * pages); or the `operator` of the installation, who need not be a member of anything.
   */
  audience?: 'anybody' | 'operator';
}

const modules = import.meta.glob<{ area: Area }>('../screens/*/area.ts', { eager: true });

export const AREAS: readonly Area[] = Object.values(modules).map((module) => module.area);

/** Whether an address (within `/app`) is the operator's: who is signed in does not matter there, and is not asked. */
export const isOperators = (pathname: string): boolean =>
  AREAS.some(
    ({ audience, routes }) => audience === 'operator' && routes.some(({ path }) => path === pathname),
  );
