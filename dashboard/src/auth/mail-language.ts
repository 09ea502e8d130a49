/**
 * The language that somebody sees is the one that their mails have: stored where they choose it, and after a sign-in in a browser
 * that has another. Where that fails nobody is told: nothing that they see depends on it.
 */
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { keyOf, queryClient } from '../api/use-api.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import type { Language } from '../i18n/languages.ts';
import type { Me } from './me.ts';
import { session } from './session.ts';

const ME = '/api/v1/auth/me';

/** One after another: what was chosen last stands last. */
let writing = Promise.resolve();

export function storeMailLanguage(me: Me, language: Language): void {
  writing = writing
    .then(async () => {
      const known = queryClient.getQueryData<Me>(keyOf(ME)) ?? me;
      if (known.language === language || session.userId() !== me.id) return;
      queryClient.setQueryData<Me>(keyOf(ME), await api.patch(ME, { body: { language } }));
    })
    .catch(() => undefined);
}

/** @param me undefined until it is known who has signed in */
export function useMailLanguage(me: Me | undefined): void {
  useEffect(() => {
    if (me !== undefined && session.takeNew()) storeMailLanguage(me, currentLanguage());
  }, [me]);
}
