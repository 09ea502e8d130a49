import {
  createContext,
  Suspense,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type PointerEvent,
} from 'react';
import { useFormats } from '../i18n/format.ts';
import { lazily, patiently } from './lazily.tsx';

const Tooltip = lazily(async () => (await import('./tooltip.ts')).Tooltip, patiently);

/** Whether times stand where a thing is told in full (`Facts`). */
export const ToldInFull = createContext(false);

/** The way from a time to its hint is longer than nothing. */
const LEAVE_MS = 150;

interface TimeProps {
  at: string;
  /** `instant` day and time; `day`; `ago` "3 minutes ago". */
  show?: 'instant' | 'day' | 'ago';
  /** Whether the keyboard reaches it; left out, it does where the thing is told in full. */
  isFocusable?: boolean;
}

/**
 * An instant in the organization's time zone; the exact one, and UTC, on hover. What the pointer is over stays the same element
 * while the hint is loaded: a press that loses its element is no click, and times stand within links.
 *
 * Where a thing is told in full the time is a button as well, for the keyboard, a finger and a reader of the screen. Not so in
 * the rows of a list: twenty-five more stops would be in everybody's way, a button cannot stand in the row's link, and the row
 * leads to where the exact instant is. Whatever leads nowhere says `isFocusable`.
 */
export function Time({ at, show = 'instant', isFocusable }: TimeProps) {
  const formats = useFormats();
  const isToldInFull = use(ToldInFull);
  const time = useRef<HTMLTimeElement>(null);
  const hintId = useId();
  const [isAsked, ask] = useState(false);
  const { isOpen, open, leave, press, keep, close } = useHint(time);
  const exact = `${formats.exact(at)} · ${at}`;
  const enter = ({ pointerType }: PointerEvent) => {
    // A finger is over nothing: it presses.
    if (pointerType === 'touch') return;
    ask(true);
    open();
  };
  const shown = (
    <time
      ref={time}
      dateTime={at}
      style={{ whiteSpace: 'nowrap' }}
      onPointerEnter={enter}
      onPointerLeave={leave}
    >
      {formats[show](at)}
    </time>
  );
  return (
    <>
      {(isFocusable ?? isToldInFull) ? (
        <>
          <button
            type="button"
            className="exact-time"
            aria-describedby={hintId}
            onClick={() => {
              ask(true);
              press();
            }}
            onFocus={({ target }) => {
              if (!target.matches(':focus-visible')) return;
              ask(true);
              keep();
            }}
            onBlur={close}
          >
            {shown}
          </button>
          <span id={hintId} hidden>
            {exact}
          </span>
        </>
      ) : (
        shown
      )}
      {isAsked && (
        <Suspense fallback={null}>
          <Tooltip
            target={time}
            opened={isOpen}
            label={exact}
            multiline
            interactive
            onPointerEnter={open}
            onPointerLeave={leave}
          />
        </Suspense>
      )}
    </>
  );
}

/** Open while the pointer is over it or its hint, and while it is kept by focus or a press; Escape closes it (WCAG 1.4.13). */
function useHint(target: React.RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const isKept = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const open = () => {
    clearTimeout(leaving.current);
    setOpen(true);
  };
  const close = useCallback(() => {
    clearTimeout(leaving.current);
    isKept.current = false;
    setOpen(false);
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // The hint alone, not the dialog that it is in.
      event.stopPropagation();
      close();
    };
    const onPress = ({ target: pressed }: Event) => {
      const element = pressed as Element;
      if (!target.current?.contains(element) && element.closest('[role=tooltip]') === null) close();
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [isOpen, target, close]);
  useEffect(() => () => clearTimeout(leaving.current), []);
  return {
    isOpen,
    open,
    close,
    leave() {
      clearTimeout(leaving.current);
      if (!isKept.current) leaving.current = setTimeout(setOpen, LEAVE_MS, false);
    },
    keep() {
      isKept.current = true;
      open();
    },
    press() {
      if (isKept.current) close();
      else {
        isKept.current = true;
        open();
      }
    },
  };
}
