import { Alert, Code, List, Loader, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRefusalWords } from '../../api/refusals.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { hasSheet, inForm, type Values } from './form-values.ts';
import type { Picture, Preview } from './use-preview.ts';

const MM_PER_INCH = 25.4;

/** Width and height in pixels: the picture says them, or, where it knows how many there are to an inch, inches. */
function sizeOf(svg: string, dpi: number | ''): [number, number] {
  const [, width, unit, height] = /width="([\d.]+)(in)?" height="([\d.]+)/.exec(svg)!;
  const pixels = (length: string | undefined) =>
    unit === undefined ? Number(length) : Math.round(Number(length) * Number(dpi));
  return [pixels(width), pixels(height)];
}

function Drawing({ preview, alt, maxHeight }: { preview: Preview; alt: string; maxHeight: number }) {
  const { picture, error, isLoading } = preview;
  if (picture === null) return <Skeleton height={maxHeight} animate={error === null} />;
  return (
    <div className="preview" data-faint={error !== null || undefined} style={{ height: maxHeight + 24 }}>
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(picture.svg)}`}
        alt={alt}
        style={{ maxHeight, maxWidth: '100%', width: 'auto', height: '100%' }}
      />
      {isLoading && <Loader size={16} className="preview-busy" />}
    </div>
  );
}

function PhysicalSize({ picture, dpi, scale }: { picture: Picture; dpi: number | ''; scale: number | '' }) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  const [width, height] = sizeOf(picture.svg, dpi);
  const pixels = t('pixels', { width: formats.number(width), height: formats.number(height) });
  if (dpi === '') return pixels;
  const mm = (length: number) => formats.number((length / dpi) * MM_PER_INCH);
  const inPrint = t('inPrint', { width: mm(width), height: mm(height), dpi });
  return scale === ''
    ? `${pixels} · ${inPrint}`
    : `${pixels} · ${inPrint} · ${t('moduleMm', { mm: formats.decimal((scale / dpi) * MM_PER_INCH, 2) })}`;
}

/** Codes on goods cannot be mended: says before they are printed that consumers could not open them. */
function ReachAdvice({ picture: { reach, payload } }: { picture: Picture }) {
  const { t } = useTranslation('minting');
  if (reach !== 'private' && reach !== 'plain') return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm" fw={600}>
        {t(`reach.${reach}.title`)}
      </Text>
      {t(`reach.${reach}.text`, { host: new URL(payload).host })}
    </Alert>
  );
}

/** Symbol and sheet as they would be printed, and what cannot be. */
export function PreviewPanel({ symbol, sheet, values }: { symbol: Preview; sheet: Preview; values: Values }) {
  const { t } = useTranslation('minting');
  const inWords = useRefusalWords();
  // The sheet's refusal repeats what is wrong with the symbol.
  const refusals = [...(symbol.error?.fields ?? []), ...(sheet.error?.fields ?? [])];
  const inForms = inForm(refusals, values, (field) => t(`line.${field}`));
  const reasons = [...new Set(inForms.map(inWords))];
  const other = [symbol.error, sheet.error].find((error) => error !== null && error.fields.length === 0);
  return (
    <Paper p="md" component="section" aria-label={t('preview')} className="preview-panel">
      <Stack gap="sm">
        <Title order={2}>{t('preview')}</Title>
        <div aria-live="polite">
          {reasons.length > 0 && (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle aria-hidden />}
              title={t('impossible')}
            >
              <List size="sm" spacing={2}>
                {reasons.map((reason) => (
                  <List.Item key={reason}>{reason}</List.Item>
                ))}
              </List>
            </Alert>
          )}
          {other && <ErrorAlert error={other} />}
        </div>
        {symbol.chosen !== null && <ReachAdvice picture={symbol.chosen} />}
        <Drawing preview={symbol} alt={t('symbolAlt')} maxHeight={180} />
        {symbol.picture !== null && (
          <>
            <Text size="xs" c="dimmed">
              <PhysicalSize picture={symbol.picture} dpi={values.dpi} scale={values.scale} />
            </Text>
            <div>
              <Text size="xs" c="dimmed">
                {values.batchId === '' ? t('payloadSample') : t('payload')}
              </Text>
              <Code block dir="ltr" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {symbol.picture.payload}
              </Code>
            </div>
          </>
        )}
        {/* Of what was refused at first there is nothing to show. */}
        {hasSheet(values) && (sheet.picture !== null || sheet.error === null) && (
          <>
            <Title order={3}>{t('firstSheet')}</Title>
            <Drawing preview={sheet} alt={t('sheetAlt')} maxHeight={360} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
