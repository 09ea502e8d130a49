import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { ToldInFull } from './time.tsx';

/** What is known about one thing, as name and value; a dash where nothing is. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <SimpleGrid
      component="dl"
      className="facts"
      cols={{ base: 1, xs: 2, md: 4 }}
      spacing="lg"
      verticalSpacing="md"
      m={0}
    >
      {facts.map(({ label, value }) => (
        <div key={label} style={{ minWidth: 0 }}>
          <dt className="fact-label">{label}</dt>
          <dd className="fact-value">
            <ToldInFull value>{value || '–'}</ToldInFull>
          </dd>
        </div>
      ))}
    </SimpleGrid>
  );
}
