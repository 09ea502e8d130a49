import { Anchor, Paper, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { usePlaceNames } from '../../components/place-names.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { RiskScore, ScanResultBadges } from './badges.tsx';

const ROWS = 10;

/** The newest scans of one unit, the current one marked. */
export function ScansOfUnit({ scans, currentId }: { scans: readonly Schemas['Scan'][]; currentId?: string }) {
  const { t } = useTranslation('scans');
  const names = usePlaceNames();
  const formats = useFormats();
  const place = ({ place: spot, country }: Schemas['Scan']) => {
    if (spot !== null) return names.long({ ...spot, country });
    return country === null ? '–' : formats.country(country);
  };
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table className="data-table" aria-label={t('unitsScans')}>
          <Table.Thead>
            <Table.Tr>
              {['at', 'result', 'place', 'risk'].map((name) => (
                <Table.Th key={name} scope="col">
                  {t(name)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {scans.slice(0, ROWS).map((scan) => (
              <Table.Tr key={scan.id} {...(scan.id === currentId ? { 'aria-current': true } : {})}>
                <Table.Td data-label={t('at')}>
                  <Anchor component={Link} to={`/scans/${scan.id}`} inherit c="inherit" fw={550}>
                    <Time at={scan.at} />
                  </Anchor>
                </Table.Td>
                <Table.Td data-label={t('result')}>
                  <ScanResultBadges scan={scan} />
                </Table.Td>
                <Table.Td data-label={t('place')}>{place(scan)}</Table.Td>
                <Table.Td data-label={t('risk')}>
                  <RiskScore level={scan.risk.level} score={scan.risk.score} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
