import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../auth/me.ts';
import { session } from '../auth/session.ts';
import { ErrorState } from '../components/states.tsx';

/** Around everything that is for people of organizations: it is shown once it is known who is signed in. */
export function Resumed() {
  const { status } = useSession();
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    if (status === 'unknown') session.resume().catch(setFailure);
  }, [status]);
  if (status !== 'unknown') return <Outlet />;
  // The session is still there: only the service is away.
  return failure === null ? null : (
    <main>
      <ErrorState error={failure} retry={() => location.reload()} isScreen />
    </main>
  );
}
