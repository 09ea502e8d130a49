import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../api/errors.ts';
import { useRefusalWords } from '../api/refusals.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

interface ApiForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** For `<form onSubmit>`. */
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => void;
  isBusy: boolean;
  /** What belongs to no field; show it with `<ErrorAlert>`. */
  error: Error | null;
}

interface ApiFormOptions<Values, Output> {
  initialValues: Values;
  /** Sends it. @param idempotencyKey the same until the values change @param begun the values that the form was begun with */
  submit: (values: Values, idempotencyKey: string, begun: Values) => Promise<Output>;
  onDone: (output: Output, values: Values) => unknown;
}

/** The field of a form that a path of the service is about: `markets.3` belongs to `markets`. */
const fieldOf = (path: string, values: Record<string, unknown>): string | null => {
  if (path in values) return path;
  const [first = ''] = path.split('.');
  return first in values ? first : null;
};

/** A form whose refused fields say what is wrong with them; the service alone decides what is valid. */
export function useApiForm<Values extends Record<string, unknown>, Output>({
  initialValues,
  submit,
  onDone,
}: ApiFormOptions<Values, Output>): ApiForm<Values> {
  const form = useForm<Values>({ mode: 'controlled', initialValues });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const inWords = useRefusalWords();
  const keyOf = useIdempotencyKey();

  const send = async (values: Values) => {
    const pressed = document.activeElement;
    setBusy(true);
    setError(null);
    try {
      await onDone(await submit(values, keyOf(values), form.getInitialValues()), values);
    } catch (failure) {
      const fields = failure instanceof ApiError ? failure.fields : [];
      const named = fields.flatMap((refusal) => {
        const field = fieldOf(refusal.path, values);
        return field === null ? [] : [[field, inWords(refusal)] as const];
      });
      // The first wrong field gets the focus, once its message is there to be read.
      if (named.length > 0) flushSync(() => form.setErrors(Object.fromEntries(named)));
      if (named.length < Math.max(1, fields.length)) setError(failure as Error);
      document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      // A busy button lets go of the focus: whoever pressed it goes on from there.
      flushSync(() => setBusy(false));
      if (document.activeElement === document.body) (pressed as HTMLElement | null)?.focus();
    } finally {
      setBusy(false);
    }
  };
  return { form, onSubmit: form.onSubmit((values) => void send(values)), isBusy, error };
}
