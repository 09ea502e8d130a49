/** The languages that people read in the dashboard, and so in mails (`dashboard/src/i18n/languages.ts`; a test holds the two together). */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
