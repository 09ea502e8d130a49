import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** Beside the title: a status badge, say. */
  badge?: ReactNode;
  /** One line of what this is. */
  description?: ReactNode;
  /** The way up. */
  parents?: readonly { label: string; to: string }[];
  /** Buttons; the one primary action last. */
  actions?: ReactNode;
}

/** A product's name may be longer than a telephone is wide; Mantine keeps each on one line. */
const PARENT = { whiteSpace: 'normal', overflowWrap: 'anywhere', minWidth: 0, lineHeight: 1.2 } as const;

/** The head of every screen; also names the browser's tab. */
export function PageHeader({ title, badge, description, parents = [], actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} – Touchstone`;
  }, [title]);
  return (
    <header>
      {parents.length > 0 && (
        <Breadcrumbs mb={4} separatorMargin={6} styles={{ breadcrumb: PARENT }}>
          {parents.map(({ label, to }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <div style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Group gap="sm">
            {/* Takes the focus where what had it is gone; names what a followed link leads into. */}
            <Title order={1} id="screen-title" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {badge}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={2} component="div" maw={720} style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
    </header>
  );
}
