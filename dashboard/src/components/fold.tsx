import { Accordion } from '@mantine/core';
import { useState, type ReactNode } from 'react';

interface FoldProps {
  label: string;
  /** One of its fields is refused, so that it has to be seen. */
  isWrong: boolean;
  children: ReactNode;
}

/** A part of a form that is right for most as it is: folded away, unless something of it is wrong. */
export function Fold({ label, isWrong, children }: FoldProps) {
  const [opened, setOpened] = useState<string | null>(null);
  // It stays so once that is mended: nothing folds away from around whoever types.
  if (isWrong && opened === null) setOpened('fold');
  return (
    <Accordion variant="contained" chevronPosition="left" value={opened} onChange={setOpened}>
      <Accordion.Item value="fold">
        <Accordion.Control>{label}</Accordion.Control>
        <Accordion.Panel>{children}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
