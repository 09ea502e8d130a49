import { Alert, Button, Group, Paper, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { keyOf, queryClient, useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Leaving } from '../../components/leaving.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Cooldown } from './cooldown.tsx';
import { Decisions } from './decisions.tsx';
import { Stale } from './stale.tsx';
import { differences, overrideOf, type Policy, type PolicyInForce } from './policy.ts';
import { isAllowed, useFieldNames } from './ranges.ts';
import { Rules } from './rules.tsx';
import { useBegin } from './running.tsx';
import { Simulation } from './simulation.tsx';

const DAYS = 30;

const policyKey = (productId: string | null | undefined) =>
  keyOf('/api/v1/risk-policies', { query: { productId: productId ?? undefined } });

export function Screen() {
  const { t } = useTranslation('risk-policy');
  const [{ productId }, set] = useFilters();
  const policy = useApi(
    '/api/v1/risk-policies',
    { query: { productId } as never },
    { placeholderData: undefined as never },
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <Group mb="md" align="flex-end" gap="md">
        <RemoteSelect
          source={ALL_PRODUCTS}
          label={t('scope')}
          w={{ base: '100%', xs: 300 }}
          all={t('organization')}
          value={productId ?? ''}
          onChange={(id) => set({ productId: id || undefined })}
        />
        <Text size="sm" c="dimmed" maw={520}>
          {productId === undefined ? t('scopeOrganization') : t('scopeProduct')}
        </Text>
      </Group>
      <Loaded query={policy}>{(inForce) => <Editor key={productId ?? ''} latest={inForce} />}</Loaded>
    </>
  );
}

/** @param latest as the service has it now; what is edited here is compared with the one that it was begun with. */
function Editor({ latest }: { latest: PolicyInForce }) {
  const { t } = useTranslation('risk-policy');
  const mayWrite = useMay('scans.write');
  const nameOf = useFieldNames();
  const [inForce, setInForce] = useState(latest);
  const [policy, setPolicy] = useState<Policy>(inForce.effective);
  const [cooldown, setCooldown] = useState(inForce.alertCooldownMinutes);
  const [tried, setTried] = useState<{ id: string; policy: Policy } | null>(null);
  const begin = useRef<HTMLButtonElement>(null);
  const { productId } = inForce;
  const ruleChanges = differences(policy, inForce.effective).length;
  const changes = ruleChanges + (cooldown === inForce.alertCooldownMinutes ? 0 : 1);
  const own = differences(policy, inForce.inherited).length + (cooldown === null ? 0 : 1);

  const simulate = useBegin(
    inForce,
    DAYS,
    (id, candidate) => setTried({ id, policy: candidate }),
    (candidate) => differences(policy, candidate).length === 0,
  );
  const adopt = (found: PolicyInForce) => {
    setInForce(found);
    setPolicy(found.effective);
    setCooldown(found.alertCooldownMinutes);
    setTried(null);
  };
  // What nobody has changed here follows what others save.
  if (changes === 0 && latest !== inForce) adopt(latest);
  const isStale = changes > 0 && latest.updatedAt !== inForce.updatedAt;
  const save = useChange(
    async ({ policy, cooldown }: { policy: Policy; cooldown: number | null }) => {
      const saved = await api.put('/api/v1/risk-policies', {
        query: { productId: productId ?? undefined } as never,
        body: {
          policy: overrideOf(policy, inForce.inherited),
          alertCooldownMinutes: cooldown,
          expectedUpdatedAt: inForce.updatedAt,
        },
      });
      queryClient.setQueryData(policyKey(productId), saved);
      adopt(saved);
    },
    ['/api/v1/risk-policies'],
  );
  const change = (next: Policy, nextCooldown = cooldown) => {
    setPolicy(next);
    setCooldown(nextCooldown);
    simulate.reset();
    save.reset();
  };
  const isTried = tried !== null && differences(policy, tried.policy).length === 0;
  return (
    <>
      {!mayWrite && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" variant="light" color="gray">
          {t('readOnly')}
        </Alert>
      )}
      <Leaving isBlocked={changes > 0} isLostBySearch>
        {t('leaveText')}
      </Leaving>
      <Rules policy={policy} inherited={inForce.inherited} onChange={change} isReadOnly={!mayWrite} />
      <Cooldown
        minutes={cooldown}
        inForce={inForce.alertCooldownMinutes === null ? inForce.effectiveAlertCooldownMinutes : null}
        onChange={(minutes) => change(policy, minutes)}
        isReadOnly={!mayWrite}
      />
      {mayWrite && (
        <Decisions
          key={`${inForce.updatedAt} ${inForce.effective.thresholds.suspicious}`}
          inForce={inForce}
          onUse={(suspicious) =>
            change({
              ...policy,
              thresholds: { suspicious, medium: Math.min(policy.thresholds.medium, suspicious) },
            })
          }
        />
      )}
      {mayWrite && (
        <Paper p="md" mt="md" className="policy-bar" data-sticky={changes > 0 || undefined}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" role="status">
              {changes === 0 ? t('unchanged') : t('changed', { count: changes })}{' '}
              {inForce.updatedAt !== null && changes === 0 && (
                <Text span inherit c="dimmed">
                  {t('lastSaved')} <Time at={inForce.updatedAt} isFocusable />
                </Text>
              )}
            </Text>
            <Group gap="xs">
              {own > 0 && (
                <Button variant="subtle" onClick={() => change(inForce.inherited, null)}>
                  {productId === null ? t('toDefaults') : t('toOrganization')}
                </Button>
              )}
              {changes > 0 && (
                <Button
                  variant="default"
                  onClick={() => change(inForce.effective, inForce.alertCooldownMinutes)}
                >
                  {t('discard')}
                </Button>
              )}
              {changes > 0 && ruleChanges === 0 ? (
                // No rule judges otherwise, so there is nothing to try.
                <Button
                  disabled={!isAllowed(policy, cooldown)}
                  loading={save.isPending}
                  onClick={() => save.mutate({ policy, cooldown })}
                >
                  {t('save')}
                </Button>
              ) : (
                <Button
                  ref={begin}
                  disabled={changes === 0 || isTried || !isAllowed(policy, cooldown)}
                  loading={simulate.isPending}
                  onClick={() => simulate.mutate(policy)}
                >
                  {t('try')}
                </Button>
              )}
            </Group>
          </Group>
          {simulate.error !== null && <ErrorAlert error={simulate.error} nameOf={nameOf} />}
          {ruleChanges === 0 && save.error !== null && !isStale && (
            <ErrorAlert error={save.error} nameOf={nameOf} />
          )}
          {isStale && (
            <Stale
              onLoad={() => {
                adopt(latest);
                simulate.reset();
                save.reset();
              }}
            />
          )}
        </Paper>
      )}
      {isTried && ruleChanges > 0 && (
        <Simulation
          id={tried.id}
          onStopped={() => setTried((latest) => (latest?.id === tried.id ? null : latest))}
          begin={begin}
          isSaving={save.isPending}
          error={isStale ? null : save.error}
          isStale={isStale}
          onSave={() => save.mutate({ policy, cooldown })}
        />
      )}
    </>
  );
}
