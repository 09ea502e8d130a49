import { lazy, Suspense, useRef, useState } from 'react';
import { useFormats } from '../i18n/format.ts';

const Tooltip = lazy(() => import('./tooltip.ts').then((module) => ({ default: module.Tooltip })));

/**
 * An instant in the organization's time zone; the exact one, and UTC, on hover. What the pointer is over stays the same element
 * while the hint is loaded: a press that loses its element is no click, and times stand within links.
 * @param show `instant` day and time; `day`; `ago` "3 minutes ago".
 */
export function Time({ at, show = 'instant' }: { at: string; show?: 'instant' | 'day' | 'ago' }) {
  const formats = useFormats();
  const time = useRef<HTMLTimeElement>(null);
  const [isAsked, ask] = useState(false);
  const [isOver, setOver] = useState(false);
  return (
    <>
      <time
        ref={time}
        dateTime={at}
        style={{ whiteSpace: 'nowrap' }}
        onPointerEnter={() => {
          ask(true);
          setOver(true);
        }}
        onPointerLeave={() => setOver(false)}
      >
        {formats[show](at)}
      </time>
      {isAsked && (
        <Suspense fallback={null}>
          <Tooltip target={time} opened={isOver} label={`${formats.exact(at)} · ${at}`} multiline />
        </Suspense>
      )}
    </>
  );
}
