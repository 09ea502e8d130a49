/** Numbers, times and places in the reader's language and the organization's time zone. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../auth/me.ts';
import { regional } from './phrases.ts';
import { createFormats, type Formats } from './create-formats.ts';

/** Formats of the reader's language and, once signed in, of the organization's time zone. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const zone = useMe()?.organization.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useMemo(
    () => createFormats(regional(i18n.language, navigator.languages), zone),
    [i18n.language, zone],
  );
}
