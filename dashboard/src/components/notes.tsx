import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Leaving } from './leaving.tsx';
import { Person } from './people.tsx';
import { ErrorAlert } from './states.tsx';
import { Time } from './time.tsx';
import { useFailureTold } from './use-failure-told.ts';
import { isFocusFree } from './use-focus-return.ts';

interface Note {
  author: string;
  text: string;
  at: string;
}

/** What people wrote about something, oldest first, and a field for one more. */
export function Notes({
  notes,
  onAdd,
}: {
  notes: readonly Note[];
  /** Left out where the person may not write. */
  onAdd?: ((text: string) => Promise<unknown>) | undefined;
}) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useFailureTold();
  const add = async () => {
    if (text.trim() === '' || onAdd === undefined) return;
    setBusy(true);
    setError(null);
    try {
      await onAdd(text.trim());
      // What was written while it was on its way is nowhere else.
      setText((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
      // Its button is for what is written there, and nothing is.
      if (isFocusFree()) field.current?.focus();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setBusy(false);
    }
  };
  // It is read again before all that it changed is, for which its sending waits.
  const isKept = isBusy && notes.some((note) => note.text === text.trim());
  return (
    <Paper p="md">
      <Title order={2} mb="sm">
        {t('notes.title')}
      </Title>
      <Stack gap="sm">
        {notes.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('notes.none')}
          </Text>
        )}
        {notes.map((note) => (
          <div key={`${note.at} ${note.text}`}>
            <Text size="xs" c="dimmed">
              <bdi>
                <Person id={note.author} />
              </bdi>{' '}
              · <Time at={note.at} isFocusable />
            </Text>
            <Text size="sm" className="as-written" style={{ whiteSpace: 'pre-wrap' }}>
              {note.text}
            </Text>
          </div>
        ))}
        <Leaving isBlocked={text.trim() !== '' && !isKept}>{t('notes.unsaved')}</Leaving>
        {onAdd !== undefined && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void add();
            }}
          >
            <Stack gap="xs">
              <Textarea
                ref={field}
                aria-label={t('notes.new')}
                placeholder={t('notes.new')}
                autosize
                minRows={2}
                maxLength={4000}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              {error !== null && <ErrorAlert error={error} />}
              <Group justify="flex-end">
                <Button type="submit" variant="default" loading={isBusy} disabled={text.trim() === ''}>
                  {t('notes.add')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Paper>
  );
}
