import { Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Mark } from './mark.tsx';
import { LanguageMenu, SchemeToggle } from './preferences.tsx';

/** Around what is the installation's and no organization's: a head, without a word of who is signed in. */
export function OperatorLayout() {
  const { t } = useTranslation();
  return (
    <div className="plain">
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className="plain-head">
        <Link to="/" className="rail-brand">
          <Mark size={26} />
          <span>Touchstone</span>
        </Link>
        <Group gap={4} ms="auto" wrap="nowrap">
          <LanguageMenu />
          <SchemeToggle />
        </Group>
      </header>
      <main id="content" className="plain-content" tabIndex={-1}>
        <div className="page">
          <Outlet />
        </div>
      </main>
    </div>
  );
}
