/** What a screen shows when it has nothing else to show: loading, nothing there, an error, no permission, no such page. */
import { Alert, Button, Code, CopyButton, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconLock,
  IconPlugConnectedX,
  IconMapQuestion,
  type Icon,
} from '@tabler/icons-react';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors.ts';
import type { Need } from '../auth/me.ts';

/** Rows of grey where the content will be. @param rows about as many as will come, so that nothing jumps. */
export function LoadingRows({ rows = 6, height = 18 }: { rows?: number; height?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')} p="md">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} width={`${96 - ((index * 17) % 30)}%`} />
      ))}
    </Stack>
  );
}

export function ScreenLoading() {
  return (
    <div className="page">
      <Skeleton height={26} width={220} mb="lg" />
      <LoadingRows rows={8} />
    </div>
  );
}

interface MessageProps {
  icon: Icon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** The only thing on the screen, so its title is the screen's. */
  isScreen?: boolean;
}

function Message({ icon: Picture, title, children, action, isScreen = false }: MessageProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Picture size={34} stroke={1.4} aria-hidden color="var(--mantine-color-dimmed)" />
      <Title order={isScreen ? 1 : 2} size="h2">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={460} component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <Group mt="xs">{action}</Group>}
    </Stack>
  );
}

/** Nothing there (yet): says what would be there, and offers the first step. */
export const EmptyState = (props: MessageProps) => <Message {...props} />;

/** @param need the scope or permission that is missing. */
export function NoPermission({ need, isScreen = false }: { need?: Need | undefined; isScreen?: boolean }) {
  const { t } = useTranslation();
  return (
    <Message icon={IconLock} title={t('noPermission.title')} isScreen={isScreen}>
      {t('noPermission.text')}
      {need !== undefined && (
        <>
          {' '}
          <Code>{need}</Code>
        </>
      )}
    </Message>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Message
      isScreen
      icon={IconMapQuestion}
      title={t('notFound.title')}
      action={
        <Button component={Link} to="/" variant="default">
          {t('notFound.home')}
        </Button>
      }
    >
      {t('notFound.text')}
    </Message>
  );
}

const SAID = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED', 'NOT_FOUND', 'CONFLICT', 'INTERNAL']);

/** Words for an error in the reader's language: what happened, and what to do. */
export function useErrorWords(error: Error): { title: string; advice: string; requestId: string | null } {
  const { t } = useTranslation();
  const code = error instanceof ApiError && SAID.has(error.code) ? error.code : 'other';
  const requestId = error instanceof ApiError ? error.requestId : null;
  return { title: t(`errors.${code}.title`), advice: t(`errors.${code}.advice`), requestId };
}

export function RequestId({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Group gap={6} wrap="wrap" justify="center">
          <Text size="xs" c="dimmed" span>
            {t('requestId')}
          </Text>
          <Code>{id}</Code>
          <Button size="compact-xs" variant="subtle" onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </Button>
        </Group>
      )}
    </CopyButton>
  );
}

/** A failed read: what happened, what to do, and the number to quote. Shows "no permission" where that is the reason. */
export function ErrorState({
  error,
  retry,
  isScreen = false,
}: {
  error: Error;
  retry?: () => void;
  isScreen?: boolean;
}) {
  const { t } = useTranslation();
  const { title, advice, requestId } = useErrorWords(error);
  if (error instanceof ApiError && error.isForbidden) return <NoPermission isScreen={isScreen} />;
  return (
    <div role="alert">
      <Message
        icon={IconPlugConnectedX}
        title={title}
        isScreen={isScreen}
        action={retry && <Button onClick={retry}>{t('tryAgain')}</Button>}
      >
        <Stack gap={6}>
          <span>{advice}</span>
          {error instanceof ApiError && error.code !== 'NETWORK' && <span>{error.message}</span>}
          {requestId !== null && <RequestId id={requestId} />}
        </Stack>
      </Message>
    </div>
  );
}

/** A failed change, beside what was tried. */
export function ErrorAlert({ error }: { error: Error }) {
  const { advice, title, requestId } = useErrorWords(error);
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert" variant="light">
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {error instanceof ApiError && error.code !== 'NETWORK' ? error.message : advice}
        </Text>
        {requestId !== null && <RequestId id={requestId} />}
      </Stack>
    </Alert>
  );
}

/** For the router: a screen that could not be loaded or that threw. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => (
  <Paper m="xl">
    <ErrorState error={error instanceof Error ? error : new Error(String(error))} retry={reset} isScreen />
  </Paper>
);

interface Loadable<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/**
 * Waits for a query:
 *
 *   <Loaded query={product}>{(product) => <h1>{product.name}</h1>}</Loaded>
 *
 * What was read once stays on show while it is renewed, also when that fails.
 */
export function Loaded<T>({
  query,
  children,
  skeleton = <LoadingRows />,
  isScreen = false,
}: {
  query: Loadable<T>;
  children: (data: T) => ReactNode;
  skeleton?: ReactNode;
  /** The whole screen waits for it, its title too. */
  isScreen?: boolean;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null)
    return <ErrorState error={query.error} retry={() => void query.refetch()} isScreen={isScreen} />;
  return skeleton;
}
