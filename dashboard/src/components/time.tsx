import { Tooltip } from '@mantine/core';
import { useFormats } from '../i18n/format.ts';

/**
 * An instant in the organization's time zone; the exact one, and UTC, on hover.
 * @param show `instant` day and time; `day`; `ago` "3 minutes ago".
 */
export function Time({ at, show = 'instant' }: { at: string; show?: 'instant' | 'day' | 'ago' }) {
  const formats = useFormats();
  return (
    <Tooltip label={`${formats.exact(at)} · ${at}`} multiline>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {formats[show](at)}
      </time>
    </Tooltip>
  );
}
