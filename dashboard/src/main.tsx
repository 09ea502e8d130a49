import { nonce } from './app/nonce.ts';
import '@mantine/core/styles.css';
import './styles.css';
import './print.css';
import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { queryClient } from './api/use-api.ts';
import { isOperators } from './app/area.ts';
import { keepFocus } from './app/keep-focus.ts';
import { printInLight } from './app/printing.ts';
import { router } from './app/router.tsx';
import { TypedNumbers } from './app/typed-numbers.tsx';
import { session } from './auth/session.ts';
import { startI18n } from './i18n/i18n.ts';
import { LANGUAGES, type Language } from './i18n/languages.ts';
import { cssVariables, theme } from './theme.ts';

/** The direction of the language. */
function FollowDirection() {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const { direction } = LANGUAGES[i18n.language as Language];
  useEffect(() => setDirection(direction), [direction, setDirection]);
  return null;
}

/** What one person read is nobody else's. */
function forgetOthersData(): void {
  let last: string | null = null;
  session.subscribe(() => {
    const state = session.state();
    if (state.status !== 'signed-in' || state.userId === last) return;
    if (last !== null) queryClient.clear();
    last = state.userId;
  });
}

forgetOthersData();
keepFocus();
printInLight();
const within = location.pathname.slice('/app'.length);
/** Whoever is known by then sees their screen first; others that it is on its way. */
const SOON_MS = 300;
const isSoon = new Promise((resolve) => setTimeout(resolve, SOON_MS));
await Promise.allSettled([
  startI18n(),
  isOperators(within) ? undefined : Promise.race([session.resume(), isSoon]),
]);

const root = createRoot(document.getElementById('root')!);
root.render(
  <StrictMode>
    <DirectionProvider
      detectDirection
      initialDirection={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}
    >
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <FollowDirection />
        <TypedNumbers>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TypedNumbers>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
