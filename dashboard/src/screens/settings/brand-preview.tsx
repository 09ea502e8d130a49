import { Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { CONSUMERS_LANGUAGES } from '../../components/texts-by-language.tsx';
import { ErrorState } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';

type Brand = Schemas['Organization']['brand'];

/** In the order in which they are offered; a result that is new has to be among them. */
const RESULTS = Object.keys({
  genuine: true,
  suspicious: true,
  diverted: true,
  suspended: true,
  recalled: true,
  expired: true,
  inactive: true,
  unknown: true,
} satisfies Record<Schemas['Verification']['result'], true>);
const KEPT_MS = 10 * 60_000;

/** The real page of the service with a draft of the brand, at the width of a phone. */
export function BrandPreview({
  draft,
  domain,
  language,
  onLanguage,
}: {
  draft: Brand;
  /** That the page names; the service adds it. */
  domain: string | null;
  /** Of the page. */
  language: string;
  onLanguage: (language: string) => void;
}) {
  const { t, i18n } = useTranslation('settings');
  const inWords = useRefusalWords();
  const [{ result: asked }, setFilters] = useFilters();
  const result = RESULTS.find((one) => one === asked) ?? 'genuine';
  // The last page that came stays on show while the next is made, and while a draft is wrong: nothing flickers.
  const preview = useQuery<{ url: string }, ApiError>({
    queryKey: ['brand-preview', draft, domain],
    queryFn: ({ signal }) => api.post('/api/v1/organization/brand-preview', { body: draft, signal }),
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const isWrong = preview.error !== null && preview.error.code === 'VALIDATION_FAILED';
  return (
    <div>
      <Group mb="sm" grow>
        <NativeSelect
          label={t('brand.verdict')}
          value={result}
          onChange={(event) => setFilters({ result: event.currentTarget.value })}
          data={RESULTS.map((value) => ({ value, label: t(`brand.verdicts.${value}`) }))}
        />
        <NativeSelect
          label={t('brand.language')}
          value={language}
          onChange={(event) => onLanguage(event.currentTarget.value)}
          // A message may be in one that the page does not have.
          data={[...new Set([...CONSUMERS_LANGUAGES, language])].map((value) => ({
            value,
            label: names.of(value) ?? value,
          }))}
        />
      </Group>
      {preview.error !== null && !isWrong && (
        <ErrorState error={preview.error} retry={() => void preview.refetch()} />
      )}
      {isWrong && (
        <Text size="sm" c="var(--mantine-color-error)" role="status" mb="xs">
          {t('brand.wrong', { message: preview.error?.fields.map(inWords).join(' ') })}
        </Text>
      )}
      <div className="phone">
        {preview.data !== undefined && (
          <iframe
            title={t('brand.preview')}
            // Looked at only: no script runs in it, no form is sent from it.
            sandbox="allow-same-origin"
            src={`${preview.data.url}?result=${result}&lang=${language}`}
          />
        )}
      </div>
      <Text size="xs" c="dimmed" ta="center" mt="xs">
        {t('brand.previewNote')}
      </Text>
    </div>
  );
}
