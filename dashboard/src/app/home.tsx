import { Navigate } from '@tanstack/react-router';
import { useMe } from '../auth/me.ts';
import { navEntries } from './navigation.ts';
import { NoPermission } from '../components/states.tsx';

/** `/app` itself: the first screen of the navigation that this person may see. */
export function Home() {
  const first = navEntries(useMe())[0];
  return first === undefined ? <NoPermission isScreen /> : <Navigate to={first.to} replace />;
}
