import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../api/use-api.ts';
import { session } from '../auth/session.ts';
import { lazily, patiently } from '../components/lazily.tsx';
import { loadTexts } from '../i18n/i18n.ts';

const SignInAgain = lazily(async () => {
  const [module] = await Promise.all([
    import('../screens/account/sign-in-again.tsx'),
    loadTexts(['account']),
  ]);
  return module.SignInAgain;
}, patiently);

// At the window before anything else is there: dialogs beneath, and the palette, hear keys at the window too.
addEventListener(
  'keydown',
  (event) => {
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (session.hasEnded() && (event.key === 'Escape' || isPalette)) event.stopImmediatePropagation();
  },
  { capture: true },
);

const stay = (event: Event): void => event.stopPropagation();

const show = (cover: HTMLDialogElement | null): void => {
  if (cover?.open === false) cover.showModal();
};

/**
 * Over everything of a tab whose session has ended, and opaque: a dialog of the browser's own, which makes what is open
 * beneath it, dialogs and notices too, unreachable. What was read for other screens is forgotten.
 */
export function Ended({ email }: { email: string }) {
  const { t } = useTranslation();
  const cover = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { title } = document;
    const before = document.activeElement as HTMLElement | null;
    show(cover.current);
    // A dialog beneath holds the page, and would hold this as well.
    for (const type of ['wheel', 'touchmove']) cover.current?.addEventListener(type, stay);
    queryClient.removeQueries({ type: 'inactive' });
    return () => {
      document.title = title;
      // Once what it is in is shown again.
      requestAnimationFrame(() => before?.focus());
    };
  }, []);
  // What was shown is as old as the pause; of what changed meanwhile the form says so itself.
  useEffect(
    () => () => {
      if (session.isSignedIn()) void queryClient.invalidateQueries();
    },
    [],
  );
  return (
    <dialog
      ref={cover}
      aria-label={t('signInAgain')}
      onCancel={(event) => event.preventDefault()}
      // Escape twice closes it all the same.
      onClose={({ currentTarget }) => show(currentTarget)}
      style={{
        position: 'fixed',
        inset: 0,
        width: '100%',
        height: '100%',
        maxWidth: 'none',
        maxHeight: 'none',
        border: 0,
        padding: 0,
        overflow: 'auto',
        color: 'inherit',
        background: 'var(--mantine-color-body)',
      }}
    >
      <div className="gate-form">
        <main>
          <Suspense>
            <SignInAgain email={email} />
          </Suspense>
        </main>
      </div>
    </dialog>
  );
}
