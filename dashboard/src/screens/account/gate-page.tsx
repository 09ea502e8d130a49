import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';

/** Title and lead of a page before the sign-in. */
export function GatePage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – Touchstone`;
  }, [title]);
  return (
    <>
      <Title order={1} tabIndex={-1} mb={lead === undefined ? 'md' : 4}>
        {title}
      </Title>
      {lead !== undefined && (
        <Text c="dimmed" mb="lg" component="div">
          {lead}
        </Text>
      )}
      {children}
    </>
  );
}

export const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to} fw={550}>
    {children}
  </Anchor>
);
