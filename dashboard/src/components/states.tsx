/** What a screen shows when it has nothing else to show: loading, nothing there, an error, no permission, no such page. */
import { Alert, Button, Code, CopyButton, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconLock,
  IconPlugConnectedX,
  IconMapQuestion,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation, useParams, type ErrorComponentProps } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors.ts';
import { patienceAsked } from '../api/patience.ts';
import { useRefusalWords } from '../api/refusals.ts';
import type { Need } from '../auth/me.ts';
import { useFormats } from '../i18n/format.ts';
import { fetchAgain } from './lazily.tsx';

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
    <>
      <Skeleton height={26} width={220} mt={6} mb="lg" />
      <LoadingRows rows={8} />
    </>
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
  // Else the tab is named after the screen before.
  useEffect(() => {
    if (isScreen) document.title = `${title} – Touchstone`;
  }, [isScreen, title]);
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Picture size={34} stroke={1.4} aria-hidden color="var(--mantine-color-dimmed)" />
      <Title order={isScreen ? 1 : 2} size="h2">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={460} component="div" style={{ textWrap: 'balance' }}>
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
          {t('noPermission.takes')} <Code>{need}</Code>
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

const SAID = new Set([
  'UNAUTHENTICATED',
  'NETWORK',
  'UNAVAILABLE',
  'RATE_LIMITED',
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_TRANSITION',
  'PAYLOAD_TOO_LARGE',
  'MALFORMED_JSON',
  'INTERNAL',
]);
/** Of these the service says no more than the words here do. */
const SAID_WHOLE = new Set([
  'NETWORK',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'RATE_LIMITED',
  'INTERNAL',
  'UNEXPECTED',
]);

/** What the service says itself, in English, under the words of the reader's language; null where it adds nothing. */
const detailOf = (error: Error): string | null =>
  error instanceof ApiError && !SAID_WHOLE.has(error.code) ? error.message : null;

function Detail({ error }: { error: Error }) {
  const detail = detailOf(error);
  return (
    detail !== null && (
      <Text size="xs" c="dimmed" lang="en" dir="ltr">
        {detail}
      </Text>
    )
  );
}

interface ErrorWords {
  title: string;
  advice: string;
  requestId: string | null;
}

/** Words for an error in the reader's language: what happened, and what to do. */
function useErrorWords(error: Error): ErrorWords {
  const { t } = useTranslation();
  return errorWords(error, t);
}

export function errorWords(error: Error, t: TFunction): ErrorWords {
  const code = error instanceof ApiError && SAID.has(error.code) ? error.code : 'other';
  const requestId = error instanceof ApiError && code !== 'UNAUTHENTICATED' ? error.requestId : null;
  return {
    title: t(`errors.${code}.title`),
    advice: patienceAsked(error, t) ?? t(`errors.${code}.advice`),
    requestId,
  };
}

function RequestId({ id }: { id: string }) {
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

/** @returns the path of the list that the screen's thing is of, by its address; null for what is in no list */
function useListAbove(): string | null {
  const { id } = useParams({ strict: false }) as { id?: string };
  const { pathname } = useLocation();
  const end = id === undefined ? -1 : pathname.indexOf(`/${id}`);
  return end > 0 ? pathname.slice(0, end) : null;
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
  const words = useErrorWords(error);
  const { requestId } = words;
  const list = useListAbove();
  if (error instanceof ApiError && error.isForbidden) return <NoPermission isScreen={isScreen} />;
  // Asked again, what is not there is not there.
  const code = error instanceof ApiError ? error.code : null;
  // Nor is what the address asks for in a way that the service cannot read.
  const isMistyped = code === 'VALIDATION_FAILED';
  const isNowhere = isScreen && (isMistyped || code === 'NOT_FOUND');
  const title = isMistyped ? t('errors.NOT_FOUND.title') : words.title;
  const advice = isMistyped ? t('errors.NOT_FOUND.advice') : words.advice;
  return (
    <div role="alert">
      <Message
        icon={isNowhere ? IconMapQuestion : IconPlugConnectedX}
        title={title}
        isScreen={isScreen}
        action={
          isNowhere ? (
            <Button component={Link} to={list ?? '/'} variant="default">
              {t(list === null ? 'notFound.home' : 'notFound.wholeList')}
            </Button>
          ) : (
            retry && !isMistyped && <Button onClick={retry}>{t('tryAgain')}</Button>
          )
        }
      >
        <Stack gap={6}>
          <span>{advice}</span>
          <Detail error={error} />
          {requestId !== null && <RequestId id={requestId} />}
        </Stack>
      </Message>
    </div>
  );
}

interface ErrorAlertProps {
  error: Error;
  retry?: () => void;
  /** Where somebody else changed the status meanwhile, and it can be tried again at once. */
  moved?: Pick<ErrorWords, 'title' | 'advice'>;
  /** The name that a refused field has on the screen, by its path. */
  nameOf?: (path: string) => string | null;
  /** Where it stands for something that a person may put away. */
  onClose?: () => void;
}

/** A failed change, beside what was tried; a read that fills less than a section too, with `retry`. */
export function ErrorAlert({ error, retry, moved, nameOf = () => null, onClose }: ErrorAlertProps) {
  const { t } = useTranslation();
  const words = useErrorWords(error);
  const { requestId } = words;
  const fields = error instanceof ApiError ? error.fields : [];
  const isMoved = fields.some(({ path, code }) => path === 'status' && code === 'CHANGED_MEANWHILE');
  const own = isMoved ? moved : undefined;
  const { title, advice } = own ?? words;
  const inWords = useRefusalWords();
  const refusals = own === undefined ? fields : [];
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      role="alert"
      variant="light"
      {...(onClose ? { withCloseButton: true, onClose, closeButtonLabel: t('close') } : {})}
    >
      <Stack gap={4} align="flex-start">
        {refusals.length > 0 ? (
          refusals.map((refusal) => (
            <Text size="sm" key={`${refusal.path} ${refusal.message}`}>
              {nameOf(refusal.path) ?? (refusal.path !== '' && <Code>{refusal.path}</Code>)}{' '}
              {inWords(refusal)}
            </Text>
          ))
        ) : (
          <>
            <Text size="sm">{advice}</Text>
            {own === undefined && <Detail error={error} />}
          </>
        )}
        {requestId !== null && <RequestId id={requestId} />}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Above what was read once and cannot be renewed: why, and how old it is. */
function Stale({ error, at, retry }: { error: Error; at: number; retry: () => void }) {
  const { t } = useTranslation();
  const { ago } = useFormats();
  const { title, requestId } = useErrorWords(error);
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugConnectedX aria-hidden />} mb="sm" role="alert">
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          <b>{title}.</b> {t('stale', { ago: ago(new Date(at).toISOString()) })}
        </Text>
        {requestId !== null && <RequestId id={requestId} />}
        <Button size="compact-sm" variant="default" onClick={retry}>
          {t('tryAgain')}
        </Button>
      </Group>
    </Alert>
  );
}

/** For the router: a screen that could not be loaded or that threw. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const failure = error instanceof Error ? error : new Error(String(error));
  const retry = () => {
    fetchAgain();
    reset();
  };
  const tryAgain = useEffectEvent(retry);
  const isPassing = failure instanceof ApiError && failure.isPassing;
  // As lists do.
  useEffect(() => {
    if (!isPassing) return undefined;
    addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  }, [isPassing]);
  return (
    <Paper m="xl">
      <ErrorState error={failure} retry={retry} isScreen />
    </Paper>
  );
}

export interface Loadable<T> {
  data: T | undefined;
  error: Error | null;
  /** When `data` came, in ms. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Loadable<T>;
  children: (data: T) => ReactNode;
  skeleton?: ReactNode;
  /** The whole screen waits for it, its title too. */
  isScreen?: boolean;
  /** Less than a section waits for it: nothing is shown until it is there, and an error takes a few lines. */
  isBrief?: boolean;
}

/**
 * Waits for a query, the screen's own or one of many on it:
 *
 *   <Loaded query={product}>{(product) => <h1>{product.name}</h1>}</Loaded>
 *
 * Nothing is said about what is not known: while it loads there is a skeleton, and an error in its place where it cannot be
 * read. What was read once stays on show while it is renewed; where that fails, with a line that says how old it is.
 */
export function Loaded<T>(props: LoadedProps<T>) {
  const { query, children, isScreen = false, isBrief = false } = props;
  const { skeleton = isBrief ? null : isScreen ? <ScreenLoading /> : <LoadingRows /> } = props;
  const { data, error, dataUpdatedAt } = query;
  const retry = () => void query.refetch();
  const isRefused = error instanceof ApiError && error.isForbidden;
  if (data !== undefined && !isRefused)
    return (
      <>
        {error !== null && <Stale error={error} at={dataUpdatedAt} retry={retry} />}
        {children(data)}
      </>
    );
  if (error === null) return skeleton;
  return isBrief ? (
    <ErrorAlert error={error} retry={retry} />
  ) : (
    <ErrorState error={error} retry={retry} isScreen={isScreen} />
  );
}
