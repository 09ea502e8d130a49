import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../auth/me.ts';
import { session } from '../auth/session.ts';
import { ErrorState } from '../components/states.tsx';
import { ShellLoading } from './shell-loading.tsx';

/** Around everything that is for people of organizations: it is shown once it is known who is signed in. */
export function Resumed() {
  const { status } = useSession();
  const [failure, setFailure] = useState<Error | null>(null);
  const isAsking = status === 'unknown' && failure === null;
  useEffect(() => {
    if (isAsking) session.resume().catch(setFailure);
  }, [isAsking]);
  useEffect(() => {
    // As lists do.
    const again = () => setFailure(null);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  if (status !== 'unknown') return <Outlet />;
  if (failure === null) return <ShellLoading />;
  // The session is still there: only the service is away. Off line the page itself could not be loaded again.
  return (
    <main>
      <ErrorState error={failure} retry={() => setFailure(null)} isScreen />
    </main>
  );
}
