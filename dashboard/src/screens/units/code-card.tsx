import {
  ActionIcon,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { keyOf } from '../../api/use-api.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { saveBlob } from '../../components/save-blob.ts';
import { ToldCopied } from '../../components/told-copied.tsx';

const SVG = '/api/v1/product-units/{id}/barcode.svg';
const PATHS = { svg: SVG, png: '/api/v1/product-units/{id}/barcode.png' } as const;
/** Of the PNG: 0.5 mm a module at 300 dpi. */
const PNG_LOOK = { scale: 6, dpi: 300 };

/** The unit's own symbol, to look at and to take away; and what a consumer sees. */
export function CodeCard({ unit }: { unit: Schemas['ProductUnit'] }) {
  const { t } = useTranslation('units');
  const [failure, setFailure] = useState<Error | null>(null);
  const options = { path: { id: unit.id } };
  const symbol = useQuery<string, ApiError>({
    queryKey: keyOf(SVG, options),
    queryFn: async () => (await api.blob(SVG, options)).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const download = async (format: 'svg' | 'png') => {
    setFailure(null);
    try {
      const query = format === 'png' ? PNG_LOOK : {};
      saveBlob(await api.blob(PATHS[format], { ...options, query }), `${unit.serial}.${format}`);
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <Paper p="md" component="section" aria-label={t('code')}>
      <Title order={2} mb="sm">
        {t('code')}
      </Title>
      <Group align="flex-start" wrap="nowrap" gap="md">
        {symbol.data === undefined ? (
          <Skeleton width={148} height={148} />
        ) : (
          <img
            src={`data:image/svg+xml;utf8,${encodeURIComponent(symbol.data)}`}
            alt={t('codeAlt', { serial: unit.serial })}
            width={148}
            height={148}
            style={{ borderRadius: 6, background: '#fff', flex: 'none' }}
          />
        )}
        <Stack gap={8} miw={0}>
          <Text size="xs" c="dimmed">
            {t('codeHolds')}
          </Text>
          <Group gap={4} wrap="nowrap" align="flex-start">
            <Code style={{ overflowWrap: 'anywhere' }} dir="ltr">
              {unit.verifyUrl}
            </Code>
            <CopyButton value={unit.verifyUrl}>
              {({ copied, copy }) => (
                <>
                  <Tooltip label={copied ? t('copied', { ns: 'common' }) : t('copy', { ns: 'common' })}>
                    <ActionIcon
                      variant="subtle"
                      size="sm"
                      onClick={copy}
                      aria-label={`${t('codeHolds')}: ${t('copy', { ns: 'common' })}`}
                    >
                      {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                    </ActionIcon>
                  </Tooltip>
                  <ToldCopied copied={copied} />
                </>
              )}
            </CopyButton>
          </Group>
          <Group gap={6}>
            {(['png', 'svg'] as const).map((format) => (
              <Button
                key={format}
                size="compact-sm"
                variant="default"
                leftSection={<IconDownload size={14} aria-hidden />}
                onClick={() => void download(format)}
              >
                {format.toUpperCase()}
              </Button>
            ))}
          </Group>
        </Stack>
      </Group>
      {(failure ?? symbol.error) !== null && <ErrorAlert error={(failure ?? symbol.error)!} />}
      <Text size="sm" mt="sm">
        <Anchor href={unit.verifyUrl} target="_blank" rel="noreferrer noopener">
          {t('openPage')} <IconExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
        </Anchor>{' '}
        <Text span size="xs" c="dimmed">
          {t('openPageHint')}
        </Text>
      </Text>
    </Paper>
  );
}
