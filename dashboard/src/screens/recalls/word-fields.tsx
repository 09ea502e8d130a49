import { Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextsByLanguage, textsOf, type WrittenText } from '../../components/texts-by-language.tsx';
import type { Recall } from './target.tsx';

/** What a recall says, as it is sent. */
export type Words = Pick<Recall, 'reason' | 'contact' | 'messages'>;

/** The same while it is written. */
export type Written = { reason: string; contact: string; messages: WrittenText[] };

export const wordsOf = ({ reason, contact, messages }: Written): Words => ({
  reason: reason.trim() || null,
  contact: contact.trim() || null,
  messages: textsOf(messages),
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
        <TextsByLanguage
          value={value.messages}
          hint={t('messageHint')}
          maxLength={1000}
          least={1}
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
