import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { may, useMe, type Need } from '../../auth/me.ts';
import { PageHeader } from '../../components/page-header.tsx';

const PAGES: readonly { to: string; label: string; needs?: Need }[] = [
  { to: '/settings', label: 'organization.title', needs: 'organization.read' },
  { to: '/settings/brand', label: 'brand.title', needs: 'organization.read' },
  { to: '/settings/people', label: 'people.title', needs: 'users.read' },
  { to: '/settings/audit-log', label: 'audit.title', needs: 'audit_log.read' },
  { to: '/settings/account', label: 'account.title' },
];

interface SettingsPageProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** On a phone the way to the others is wider than the screen. */
const intoView = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** A page of the settings, under the way to the others that this person may open. */
export function SettingsPage({ title, lead, actions, children }: SettingsPageProps) {
  const { t } = useTranslation('settings');
  const me = useMe();
  return (
    <>
      <Box component="nav" className="section-tabs" aria-label={t('title')} mb="md">
        {PAGES.filter(({ needs }) => may(me, needs)).map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ ref: intoView }}
          >
            {t(label)}
          </Link>
        ))}
      </Box>
      <PageHeader title={title} description={lead} actions={actions} />
      {children}
    </>
  );
}
