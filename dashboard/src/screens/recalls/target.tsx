import { Anchor, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useNameOf } from '../../components/found-source.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

export type Recall = Schemas['Recall'];
export type RecallScope = Recall['scope'];

export const SCOPES = ['batch', 'consignment', 'product', 'unit'] as const satisfies readonly RecallScope[];

const PLACES: Record<RecallScope, string> = {
  unit: '/units',
  batch: '/batches',
  consignment: '/consignments',
  product: '/products',
};
const PREFIXES = new Map<string, RecallScope>([
  ['unit', 'unit'],
  ['batch', 'batch'],
  ['cons', 'consignment'],
  ['prod', 'product'],
]);

/** @returns the scope that an id is of: `batch_…` is a batch. */
export const scopeOf = (id: string): RecallScope | undefined => PREFIXES.get(id.split('_')[0] ?? '');

/** The member of a request's body that names the target. */
export const targetBody = (scope: RecallScope, id: string) => ({ [`${scope}Id`]: id });

/** What a recall lies over, by name. @param isLink leads to its screen. */
export function TargetName({
  scope,
  id,
  isLink = false,
}: {
  scope: RecallScope;
  id: string;
  isLink?: boolean;
}) {
  const { t } = useTranslation('recalls');
  const hit = useNameOf(id);
  if (hit === undefined) return <Skeleton height={14} width={160} my={4} />;
  const name = hit === null ? id : [hit.title, hit.subtitle].filter(Boolean).join(' · ');
  const text = t('scopeOf', { scope: t(`scopes.${scope}`), name });
  return isLink ? (
    <Anchor component={Link} to={`${PLACES[scope]}/${id}`} inherit>
      {text}
    </Anchor>
  ) : (
    text
  );
}

export type RecallState = 'planned' | 'inForce' | 'lifted';

export function stateOf({ liftedAt, startsAt }: Recall): RecallState {
  if (liftedAt !== null) return 'lifted';
  return Date.parse(startsAt) > Date.now() ? 'planned' : 'inForce';
}

const TONES: Record<RecallState, Tone> = { planned: 'info', inForce: 'bad', lifted: 'neutral' };

export function RecallBadge({ recall }: { recall: Recall }) {
  const { t } = useTranslation('recalls');
  const state = stateOf(recall);
  return <StatusBadge tone={TONES[state]} label={t(state)} />;
}
