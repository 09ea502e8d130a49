import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { flushSync } from 'react-dom';
import { ApiError, type FieldError } from '../api/errors.ts';
import { useRefusalWords } from '../api/refusals.ts';
import { queryClient } from '../api/use-api.ts';
import { notifyError } from './notify.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

interface ApiForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`. */
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => void;
  isBusy: boolean;
  /** Whether something was typed that is not stored, though it may be on its way; for `<Unsaved>`. */
  isUnsaved: boolean;
  /** What belongs to no field; show it with `<ErrorAlert>`. */
  error: Error | null;
}

interface ApiFormOptions<Values, Output> {
  initialValues: Values;
  /** Whether the form shows other `initialValues` as soon as there are some, as long as nothing is typed into it. */
  follows?: boolean;
  /** Sends it. @param idempotencyKey the same until the values change @param begun the values that the form was begun with */
  submit: (values: Values, idempotencyKey: string, begun: Values) => Promise<Output>;
  onDone: (output: Output, values: Values) => unknown;
  /** Reads again what is edited, where somebody else was faster. */
  renew?: () => Promise<Values>;
  /** The fields of what has another name at the service: `retention.scansDays`. */
  names?: Readonly<Record<string, keyof Values & string>>;
  /** Fields that are lists whose rows have fields of their own; what is wrong with one of these is found at its path, `links.0.url`. */
  rows?: readonly (keyof Values & string)[];
  /** What somebody else made of a field, to be read beside it. */
  describe?: (field: keyof Values & string, values: Values) => string;
}

/** Characters of somebody else's text beside a field. */
const MAX_SHOWN = 200;

/** The field of a form that a path of the service is about: `markets.3` belongs to `markets`, `brand.messages.de` to what `brand.messages` is here. */
const fieldOf = (
  path: string,
  values: Record<string, unknown>,
  names: Readonly<Record<string, string>>,
): string | null => {
  const steps = path.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const part = steps.slice(0, length).join('.');
    const named = names[part] ?? part;
    if (named in values) return named;
  }
  return null;
};

/** Of what is edited here, what was typed; of everything else, how it is now. */
const merged = <Values extends object>(begun: Values, typed: Values, now: Values): Values =>
  Object.fromEntries(
    Object.entries(typed).map(([name, value]) => {
      const field = name as keyof Values;
      return [name, JSON.stringify(value) === JSON.stringify(begun[field]) ? now[field] : value];
    }),
  ) as Values;

/** A form whose refused fields say what is wrong with them; the service alone decides what is valid. */
export function useApiForm<Values extends Record<string, unknown>, Output>({
  initialValues,
  follows = false,
  submit,
  onDone,
  renew,
  names = {},
  rows = [],
  describe = () => '',
}: ApiFormOptions<Values, Output>): ApiForm<Values> {
  const form = useForm<Values>({ mode: 'controlled', initialValues });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const latest = JSON.stringify(initialValues);
  const [followed, setFollowed] = useState(latest);
  const inWords = useRefusalWords();
  const keyOf = useIdempotencyKey();
  const { t } = useTranslation();

  /** Goes on from how it is now, so that sending it again is said with open eyes. */
  const catchUp = async (refusals: readonly FieldError[]): Promise<Values | null> => {
    if (renew === undefined || !refusals.some(({ code }) => code === 'CHANGED_MEANWHILE')) return null;
    const now = await renew().catch(() => null);
    if (now === null) return null;
    const next = merged(form.getInitialValues(), form.getValues(), now);
    form.setInitialValues(now);
    form.setValues(next);
    return now;
  };

  const send = async (values: Values) => {
    const { pathname } = location;
    const isElsewhere = () => location.pathname !== pathname;
    setBusy(true);
    setError(null);
    try {
      const output = await submit(values, keyOf(values), form.getInitialValues());
      // Whoever has left is led nowhere; what they see elsewhere is read again. The form alone may go with what it has changed.
      if (isElsewhere()) return void queryClient.invalidateQueries();
      form.setInitialValues(values);
      // What was read before is older than what is stored now.
      setFollowed(latest);
      // Before it is gone on, or leaving would be asked about.
      flushSync(renderAgain);
      await onDone(output, values);
    } catch (failure) {
      // The next screen may still be on its way, with the form there for a moment.
      if (isElsewhere() || !isMounted.current) return notifyError(failure);
      const fields = failure instanceof ApiError ? failure.fields : [];
      const now = await catchUp(fields);
      const named = fields.flatMap((refusal) => {
        const field = fieldOf(refusal.path, values, names);
        if (field === null) return [];
        const why = inWords(refusal);
        const place = rows.includes(field) ? refusal.path : field;
        if (now === null || refusal.code !== 'CHANGED_MEANWHILE') return [[place, why] as const];
        const value = describe(field, now).slice(0, MAX_SHOWN) || '–';
        return [[field, `${why} ${t('nowIs', { value })}`] as const];
      });
      // The first wrong field gets the focus, once its message is there to be read.
      if (named.length > 0) flushSync(() => form.setErrors(Object.fromEntries(named)));
      if (named.length < Math.max(1, fields.length)) setError(failure as Error);
      document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    } finally {
      setBusy(false);
    }
  };
  const isUnsaved = JSON.stringify(form.getValues()) !== JSON.stringify(form.getInitialValues());
  const isBehind = follows && !isBusy && !isUnsaved && latest !== followed;
  useEffect(() => {
    if (!isBehind) return;
    const now = JSON.parse(latest) as Values;
    setFollowed(latest);
    form.setInitialValues(now);
    form.setValues(now);
  }, [isBehind, latest, form]);
  return { form, onSubmit: form.onSubmit((values) => void send(values)), isBusy, isUnsaved, error };
}
