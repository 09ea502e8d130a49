import { Collapse, Group, NumberInput, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { decimals } from '../../api/refusals.ts';
import { useFormats } from '../../i18n/format.ts';
import type { Policy } from './policy.ts';
import { areCrossed, RANGES, useRangeError } from './ranges.ts';
import { Windows } from './windows.tsx';

interface RulesProps {
  policy: Policy;
  inherited: Policy;
  onChange: (policy: Policy) => void;
  isReadOnly: boolean;
}

type RuleName = Exclude<keyof Policy, 'thresholds'>;

const RULES: readonly RuleName[] = ['clone', 'impossibleTravel', 'excessiveScanning', 'diversion'];

/** All rules, each with a sentence of what it does, its switch and its numbers. */
export function Rules(props: RulesProps) {
  const { t } = useTranslation('risk-policy');
  const { policy, inherited, onChange, isReadOnly } = props;
  return (
    <Stack gap="md">
      <Paper p="md">
        <Title order={2}>{t('thresholds.title')}</Title>
        <Text size="sm" c="dimmed" mt={2} mb="sm">
          {t('thresholds.text')}
        </Text>
        <Fields>
          {(['medium', 'suspicious'] as const).map((name) => (
            <NumberField
              key={name}
              name={name}
              value={policy.thresholds[name]}
              inherited={inherited.thresholds[name]}
              isReadOnly={isReadOnly}
              error={
                name === 'medium' &&
                areCrossed(policy) &&
                t('thresholds.crossed', { value: policy.thresholds.suspicious })
              }
              onChange={(value) =>
                onChange({ ...policy, thresholds: { ...policy.thresholds, [name]: value } })
              }
            />
          ))}
        </Fields>
      </Paper>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {RULES.map((rule) => (
          <RuleCard key={rule} rule={rule} {...props} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const Fields = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
    {children}
  </SimpleGrid>
);

function RuleCard({ rule, policy, inherited, onChange, isReadOnly }: RulesProps & { rule: RuleName }) {
  const { t } = useTranslation('risk-policy');
  const values = policy[rule] as Record<string, unknown> & { enabled: boolean };
  const base = inherited[rule] as Record<string, unknown>;
  const set = (name: string, value: unknown) => onChange({ ...policy, [rule]: { ...values, [name]: value } });
  const numbers = Object.keys(values).filter((name) => name in RANGES);
  const switches = Object.keys(values).filter(
    (name) => name !== 'enabled' && typeof values[name] === 'boolean',
  );
  return (
    <Paper p="md" role="group" aria-labelledby={`rule-${rule}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} id={`rule-${rule}`}>
          {t(`${rule}.title`)}
        </Title>
        <Switch
          aria-labelledby={`rule-${rule}`}
          label={values.enabled ? t('on') : t('off')}
          checked={values.enabled}
          disabled={isReadOnly}
          onChange={(event) => set('enabled', event.currentTarget.checked)}
        />
      </Group>
      <Text size="sm" c="dimmed" mt={2}>
        {t(`${rule}.text`)}
      </Text>
      <Collapse expanded={values.enabled}>
        <Stack gap="sm" mt="sm">
          {rule === 'excessiveScanning' && (
            <Windows
              windows={policy.excessiveScanning.windows}
              isReadOnly={isReadOnly}
              onChange={(windows) => set('windows', windows)}
            />
          )}
          <Fields>
            {numbers.map((name) => (
              <NumberField
                key={name}
                name={name}
                value={values[name] as number}
                inherited={base[name] as number}
                isReadOnly={isReadOnly}
                onChange={(value) => set(name, value)}
              />
            ))}
          </Fields>
          {switches.map((name) => (
            <Switch
              key={name}
              label={t(`fields.${name}.label`)}
              checked={values[name] as boolean}
              disabled={isReadOnly}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Collapse>
    </Paper>
  );
}

function NumberField({
  name,
  value,
  inherited,
  onChange,
  isReadOnly,
  error = false,
}: {
  name: string;
  value: number;
  inherited: number;
  onChange: (value: number) => void;
  isReadOnly: boolean;
  error?: string | false;
}) {
  const { t } = useTranslation('risk-policy');
  const formats = useFormats();
  const rangeError = useRangeError();
  const { min, max, step, isShare = false, isWhole = false } = RANGES[name]!;
  const scale = isShare ? 100 : 1;
  const shown = (number: number) => (isShare ? formats.percent(number) : formats.number(number));
  const [isEmptied, setEmptied] = useState(false);
  // Emptied, it is as inherited; changed from elsewhere, as by "Discard", it shows what it is.
  const isEmpty = isEmptied && value === inherited;
  const rounded = (number: number) => Math.round(number * scale * 1000) / 1000;
  return (
    <NumberInput
      label={t(`fields.${name}.label`)}
      description={t(`fields.${name}.text`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={isEmpty ? '' : rounded(value)}
      placeholder={formats.decimal(rounded(inherited), decimals(rounded(inherited)))}
      min={min * scale}
      max={max * scale}
      step={step * scale}
      allowDecimal={!isWhole}
      error={rangeError(value, RANGES[name]!) || error}
      disabled={isReadOnly}
      suffix={isShare ? ' %' : ''}
      onChange={(typed) => {
        // "1." is a text, too, and on its way to a number.
        setEmptied(typed === '');
        if (typed === '') onChange(inherited);
        else if (typeof typed === 'number') onChange(typed / scale);
      }}
      {...(value === inherited
        ? {}
        : { description: `${t(`fields.${name}.text`)} ${t('instead', { value: shown(inherited) })}` })}
      styles={{ wrapper: { maxWidth: 180 } }}
    />
  );
}
