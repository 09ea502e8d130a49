import { Anchor, List, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Consignment } from './status.tsx';

const SHOWN = 50;

function Named({ id, condition, count }: { id: string; condition: 'missing' | 'damaged'; count: number }) {
  const { t } = useTranslation('consignments');
  const units = useApi('/api/v1/consignments/{id}/units', {
    path: { id },
    query: { condition, limit: SHOWN },
  });
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        {t(`${condition}Units`, { count })}
      </Title>
      <Loaded query={units}>
        {({ data }) => (
          <>
            <List listStyleType="none" spacing={4} size="sm">
              {data.map((unit) => (
                <List.Item key={unit.id}>
                  <Anchor component={Link} to={`/units/${unit.id}`} className="mono" inherit>
                    {unit.serial}
                  </Anchor>
                  {unit.lot !== null && (
                    <Text span inherit c="dimmed">
                      {' '}
                      {unit.lot}
                    </Text>
                  )}
                </List.Item>
              ))}
            </List>
            {data.length < count && (
              <Text size="sm" c="dimmed" mt={4}>
                {t('unnamedUnits', { count: count - data.length })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What the distributor said was not there, or not whole. */
export function Discrepancies({ consignment: { id, unitCount, receipt } }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const { missingCount = 0, damagedCount = 0, counted = null } = receipt ?? {};
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t('discrepancies')}
      </Title>
      <Text size="sm" c="dimmed" maw={720} mb="md">
        {t('discrepanciesLead')}
        {counted !== null &&
          counted !== unitCount &&
          ` ${t('countedText', { counted: formats.number(counted), sent: formats.number(unitCount) })}`}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {missingCount > 0 && <Named id={id} condition="missing" count={missingCount} />}
        {damagedCount > 0 && <Named id={id} condition="damaged" count={damagedCount} />}
      </SimpleGrid>
    </Paper>
  );
}
