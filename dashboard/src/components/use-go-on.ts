import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../api/use-api.ts';

/**
 * For a dialog whose answer leads to another screen. Whoever has left by then is led nowhere; what they see elsewhere is read again.
 * @returns to be called when the answer is asked for; what it gives leads on
 */
export function useGoOn(): () => (to: string) => Promise<void> {
  const navigate = useNavigate();
  return () => {
    const { pathname } = location;
    return (to) => (location.pathname === pathname ? navigate({ to }) : queryClient.invalidateQueries());
  };
}
