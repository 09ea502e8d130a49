import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { storeMailLanguage } from '../auth/mail-language.ts';
import { useMe } from '../auth/me.ts';
import { MenuButton } from '../components/menu-button.tsx';
import { changeLanguage } from '../i18n/i18n.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';

export function SchemeToggle() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? t('scheme.light') : t('scheme.dark');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const choose = async (language: Language) => {
    await changeLanguage(language);
    if (me !== null) storeMailLanguage(me, language);
  };
  return (
    <MenuButton
      color="gray"
      label={t('language')}
      entries={Object.entries(LANGUAGES).map(([code, { name, direction }]) => ({
        id: code,
        label: name,
        lang: code,
        dir: direction,
        isCurrent: i18n.language === code,
        onClick: () => void choose(code as Language),
      }))}
    >
      <IconLanguage size={18} />
    </MenuButton>
  );
}
