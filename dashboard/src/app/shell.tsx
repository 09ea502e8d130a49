import { ActionIcon, AppShell, Avatar, Burger, Button, Group, Kbd, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';
import { notify } from '../components/notify.ts';
import { IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../auth/session.ts';
import { useMe } from '../auth/me.ts';
import { Mark } from './mark.tsx';
import { GROUPS, navEntries } from './navigation.ts';
import { LanguageMenu, SchemeToggle } from './preferences.tsx';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The command palette is loaded at its first use, by Ctrl-K, by "/" or by its button. */
function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isCommand && (event.key !== '/' || isTyping(event.target))) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const me = useMe()!;
  const [isOpen, { toggle, close }] = useDisclosure();
  const palette = usePalette();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      layout="alt"
      header={{ height: 52 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={120}
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('navigation')} />
          <Button
            variant="default"
            size="compact-md"
            fw={400}
            c="dimmed"
            leftSection={<IconSearch size={15} aria-hidden />}
            rightSection={
              <Kbd size="xs" visibleFrom="sm">
                Ctrl K
              </Kbd>
            }
            onClick={palette.open}
            miw={{ base: 0, sm: 240 }}
            justify="flex-start"
          >
            {t('palette.open')}
          </Button>
          <Group gap={4} ms="auto" wrap="nowrap">
            <LanguageMenu />
            <SchemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="rail" withBorder={false} aria-label={t('navigation')}>
        <Group h={52} px="md" justify="space-between" wrap="nowrap">
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
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            color="#d8d2c7"
            aria-label={t('close')}
          />
        </Group>
        <div className="rail-list">
          <Navigation />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <div className="page">{children}</div>
      </AppShell.Main>
      <Notifications position="bottom-right" />
      {palette.isOpen && (
        <Suspense>
          <Palette onClose={palette.close} />
        </Suspense>
      )}
    </AppShell>
  );
}

function Navigation() {
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
            <Link key={to} to={to} className="rail-link" {...(isHere ? { 'aria-current': 'page' } : {})}>
              <Icon size={18} stroke={1.6} aria-hidden />
              {t(label, { ns: area })}
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
  const signOut = () => session.signOut().catch((error: Error) => notify(error.message, 'bad'));
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={t('account.menu')}>
          <Avatar size={28} radius="xl" color="gold" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {me.email} · {t(`roles.${me.role}`)}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/settings/account"
          leftSection={<IconUserCircle size={16} aria-hidden />}
        >
          {t('account.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
