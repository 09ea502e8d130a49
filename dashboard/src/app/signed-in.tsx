import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { queryClient, useApi } from '../api/use-api.ts';
import { MeContext, useSession } from '../auth/me.ts';
import { lazily } from '../components/lazily.tsx';
import { ErrorState, ScreenLoading } from '../components/states.tsx';
import { loadLabels } from '../i18n/i18n.ts';

/** Not for the pages before the sign-in. */
const Shell = lazily(async () => {
  const [{ Shell: Loaded }] = await Promise.all([import('./shell.tsx'), loadLabels()]);
  return Loaded;
});

/** Everything behind the sign-in: sends others there, with the way back. */
export function SignedIn() {
  const state = useSession();
  const navigate = useNavigate();
  const { href } = useLocation();
  const isLeaving = useRef(false);
  useEffect(() => {
    if (state.status !== 'signed-out' || isLeaving.current) return;
    // The address changes before this is taken away.
    isLeaving.current = true;
    queryClient.clear();
    const back = href === '/' || state.reason === 'signed-out' ? {} : { next: href };
    const search = { ...back, ...(state.reason === 'ended' ? { ended: '1' } : {}) };
    void navigate({ to: '/sign-in', search, replace: true });
  }, [state, navigate, href]);
  if (state.status !== 'signed-in') return null;
  // Another person in another tab is another person here.
  return <SignedInAs key={state.userId} />;
}

function SignedInAs() {
  const me = useApi('/api/v1/auth/me', {}, { staleTime: 60_000 });
  if (me.isError && me.data === undefined)
    return (
      <main>
        <ErrorState error={me.error} retry={() => void me.refetch()} isScreen />
      </main>
    );
  if (me.data === undefined) return <ShellLoading />;
  return (
    <MeContext value={me.data}>
      <Suspense fallback={<ShellLoading />}>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
    </MeContext>
  );
}

/** The screen's grey rows where they will be: below the head and beside the rail, which are not there yet. */
const ShellLoading = () => (
  <div className="shell">
    <div className="rail" aria-hidden />
    <div className="shell-content">
      <div className="page">
        <ScreenLoading />
      </div>
    </div>
  </div>
);
