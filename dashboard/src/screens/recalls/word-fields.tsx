import { Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Messages, type Message } from './messages.tsx';
import type { Recall } from './target.tsx';

/** What a recall says, as it is sent. */
export type Words = Pick<Recall, 'reason' | 'contact' | 'messages'>;

/** The same while it is written. */
export type Written = { reason: string; contact: string; messages: Message[] };

export const wordsOf = ({ reason, contact, messages }: Written): Words => ({
  reason: reason.trim() || null,
  contact: contact.trim() || null,
  messages: Object.fromEntries(
    messages.map(({ language, text }) => [language, text.trim()] as const).filter(([, text]) => text !== ''),
  ),
});

export function WordFields({
  value,
  errors = {},
  onChange,
}: {
  value: Written;
  /** What is wrong with a field, by its name. */
  errors?: Partial<Record<keyof Written, ReactNode>>;
  onChange: (changes: Partial<Written>) => void;
}) {
  const { t } = useTranslation('recalls');
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb="sm">
        {t('words')}
      </Title>
      <Stack>
        <Textarea
          label={t('reason')}
          description={t('reasonHint')}
          autosize
          minRows={2}
          maxLength={1000}
          value={value.reason}
          error={errors.reason}
          onChange={(event) => onChange({ reason: event.currentTarget.value })}
        />
        <Messages
          value={value.messages}
          error={errors.messages}
          onChange={(messages) => onChange({ messages })}
        />
        <TextInput
          label={t('contact')}
          description={t('contactHint')}
          maxLength={300}
          value={value.contact}
          error={errors.contact}
          onChange={(event) => onChange({ contact: event.currentTarget.value })}
        />
      </Stack>
    </Paper>
  );
}
