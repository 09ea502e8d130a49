import { Avatar, Burger, Button, Group, Kbd, Text } from '@mantine/core';
import { IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../auth/session.ts';
import { useMe } from '../auth/me.ts';
import { lazily, patiently } from '../components/lazily.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import { Notices } from '../components/notices.tsx';
import { orNotify } from '../components/notify.ts';
import { Mark } from './mark.tsx';
import { GROUPS, navEntries } from './navigation.ts';
import { setPaletteOpen } from './palette-open.ts';
import { LanguageMenu, SchemeToggle } from './preferences.tsx';
import { useRail } from './use-rail.ts';

const Palette = lazily(async () => (await import('./palette.tsx')).Palette, patiently);

const IS_APPLE = navigator.userAgent.includes('Mac OS X');

/** The command palette is loaded at its first use, by Ctrl-K or by its button: no single key, which somebody may hit by chance (WCAG 2.1.4). */
function usePalette() {
  const [opening, setOpening] = useState(0);
  const open = useCallback(() => {
    setPaletteOpen(true);
    setOpening((times) => times + 1);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isCommand) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  return { opening, open };
}

/** A link that was followed takes the focus with it: it goes on in the new screen, not at the top of the page. */
function useFocusInScreen(pathname: string) {
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    // Not where a field of the new screen, or the palette, has it already.
    const here = document.activeElement;
    if (here === document.body || here?.closest('.rail'))
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
}

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const me = useMe()!;
  const palette = usePalette();
  const { pathname } = useLocation();
  const rail = useRail(pathname);
  useFocusInScreen(pathname);
  return (
    <div className="shell">
      <a className="skip-link" href="#content" inert={rail.isOpen}>
        {t('skip')}
      </a>
      <header className="shell-head" inert={rail.isOpen}>
        <Burger
          ref={rail.opener}
          opened={rail.isOpen}
          onClick={rail.open}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('navigation')}
          aria-expanded={rail.isOpen}
        />
        <Button
          variant="default"
          size="compact-md"
          fw={400}
          c="dimmed"
          leftSection={<IconSearch size={15} aria-hidden />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              {IS_APPLE ? '⌘ K' : 'Ctrl K'}
            </Kbd>
          }
          onClick={palette.open}
          miw={{ base: 0, sm: 240 }}
          justify="flex-start"
        >
          <Text span inherit visibleFrom="sm">
            {t('palette.open')}
          </Text>
          <Text span inherit hiddenFrom="sm">
            {t('palette.openShort')}
          </Text>
        </Button>
        <Group gap={4} ms="auto" wrap="nowrap">
          <LanguageMenu />
          <SchemeToggle />
          <UserMenu />
        </Group>
      </header>
      <nav ref={rail.rail} className="rail" data-open={rail.isOpen || undefined} aria-label={t('navigation')}>
        <Group h={52} px="md" justify="space-between" wrap="nowrap" style={{ flex: 'none' }}>
          <Link to="/" className="rail-brand">
            <Mark size={26} />
            <span>
              Touchstone
              <Text className="rail-org" component="div" lineClamp={1}>
                {me.organization.name}
              </Text>
            </span>
          </Link>
          <Burger
            ref={rail.closer}
            opened={rail.isOpen}
            onClick={rail.close}
            hiddenFrom="sm"
            size="sm"
            color="#d8d2c7"
            aria-label={t('close')}
          />
        </Group>
        <div className="rail-list">
          <Navigation onFollow={rail.close} />
        </div>
      </nav>
      <main
        id="content"
        className="shell-content"
        tabIndex={-1}
        aria-labelledby="screen-title"
        inert={rail.isOpen}
      >
        <div className="page">{children}</div>
      </main>
      <Notices />
      {palette.opening > 0 && (
        <Suspense>
          <Palette opening={palette.opening} />
        </Suspense>
      )}
    </div>
  );
}

/** @param onFollow also where the link leads to the screen that is there. */
function Navigation({ onFollow }: { onFollow: () => void }) {
  const me = useMe();
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const entries = navEntries(me);
  return GROUPS.map((group) => {
    const members = entries.filter((entry) => entry.group === group);
    if (members.length === 0) return null;
    return (
      <div key={group} role="group" aria-labelledby={`nav-${group}`}>
        <div className="rail-group" id={`nav-${group}`}>
          {t(`groups.${group}`)}
        </div>
        {members.map(({ to, label, area, icon: Icon }) => {
          const isHere = pathname === to || pathname.startsWith(`${to}/`);
          return (
            <Link
              key={to}
              to={to}
              className="rail-link"
              onClick={onFollow}
              {...(isHere ? { 'aria-current': 'page' } : {})}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              {t(`${area}.${label}`, { ns: 'labels' })}
            </Link>
          );
        })}
      </div>
    );
  });
}

function UserMenu() {
  const { t } = useTranslation();
  const me = useMe()!;
  const name = me.name ?? me.email;
  const signOut = () => orNotify(session.signOut());
  return (
    <MenuButton
      label={t('account.menu')}
      radius="xl"
      width={250}
      head={
        <>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {me.email} · {t(`roles.${me.role}`)}
          </Text>
        </>
      }
      entries={[
        {
          id: 'settings',
          label: t('account.settings'),
          icon: <IconUserCircle size={16} aria-hidden />,
          to: '/settings/account',
        },
        {
          id: 'sign-out',
          label: t('account.signOut'),
          icon: <IconLogout size={16} aria-hidden />,
          onClick: signOut,
        },
      ]}
    >
      <Avatar size={28} radius="xl" color="gold" />
    </MenuButton>
  );
}
