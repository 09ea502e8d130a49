import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { keyOf, queryClient, useApi } from '../api/use-api.ts';
import { useMailLanguage } from '../auth/mail-language.ts';
import { MeContext, useSession } from '../auth/me.ts';
import { session } from '../auth/session.ts';
import { lazily } from '../components/lazily.tsx';
import { ErrorState } from '../components/states.tsx';
import { loadLabels } from '../i18n/i18n.ts';
import { Ended } from './ended.tsx';
import { ShellLoading } from './shell-loading.tsx';

/** Not for the pages before the sign-in. */
const Shell = lazily(async () => {
  const [{ Shell: Loaded }] = await Promise.all([import('./shell.tsx'), loadLabels()]);
  return Loaded;
});

const ME = keyOf('/api/v1/auth/me');

/** Everything behind the sign-in: sends others there, with the way back. Whose session has ended signs in again over their screen. */
export function SignedIn() {
  const state = useSession();
  const navigate = useNavigate();
  const { href } = useLocation();
  const isLeaving = useRef(false);
  const userId = state.status === 'signed-in' ? state.userId : null;
  const [kept, keep] = useState(userId);
  if (userId !== null && userId !== kept) keep(userId);
  const hasScreen = kept !== null && queryClient.getQueryData(ME) !== undefined;
  const isEnded = hasScreen && state.status === 'signed-out' && state.reason === 'ended';
  useEffect(() => {
    if (state.status !== 'signed-out' || isEnded || isLeaving.current) return;
    // The address changes before this is taken away.
    isLeaving.current = true;
    queryClient.clear();
    const back = href === '/' || state.reason === 'signed-out' ? {} : { next: href };
    const search = { ...back, ...(state.reason === 'ended' ? { ended: '1' } : {}) };
    void navigate({ to: '/sign-in', search, replace: true });
    session.giveUp();
  }, [state, isEnded, navigate, href]);
  // Another person in another tab is another person here.
  const whose = isEnded ? kept : userId;
  return whose !== null && <SignedInAs key={whose} isEnded={isEnded} />;
}

/** @param isEnded keeps the screen with what was typed, out of sight, until the same person signs in again */
function SignedInAs({ isEnded }: { isEnded: boolean }) {
  const me = useApi('/api/v1/auth/me', {}, { staleTime: 60_000 });
  useMailLanguage(isEnded ? undefined : me.data);
  if (me.isError && me.data === undefined)
    return (
      <main>
        <ErrorState error={me.error} retry={() => void me.refetch()} isScreen />
      </main>
    );
  if (me.data === undefined) return <ShellLoading />;
  return (
    <MeContext value={me.data}>
      <div style={{ display: isEnded ? 'none' : 'contents' }}>
        <Suspense fallback={<ShellLoading />}>
          <Shell>
            <Outlet />
          </Shell>
        </Suspense>
      </div>
      {isEnded && <Ended email={me.data.email} />}
    </MeContext>
  );
}
