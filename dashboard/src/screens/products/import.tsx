import { Alert, Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { FileField } from '../../components/file-field.tsx';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { saveBlob } from '../../components/save-blob.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFailureTold } from '../../components/use-failure-told.ts';
import { useGoOn } from '../../components/use-go-on.ts';
import { useFormats } from '../../i18n/format.ts';
import { COLUMNS, placeOf, readTableFile, type TableFile } from './table-file.ts';

type Import = Schemas['ProductImport'];

const send = ({ text, type }: TableFile, dryRun: 'true' | 'false') =>
  api.post('/api/v1/products/import', { query: { dryRun }, body: new Blob([text], { type }) as never });

export function Screen() {
  const { t, i18n } = useTranslation('products');
  const goOn = useGoOn();
  const [file, setFile] = useState<File | null>(null);
  const [looked, setLooked] = useState<{ table: TableFile; plan: Import } | null>(null);
  const [error, setError] = useFailureTold();
  const [isWorkbook, setWorkbook] = useState(false);
  // One that takes longer to be looked at may be that before it.
  const latest = useRef<File | null>(null);
  const take = useChange((table: TableFile) => send(table, 'false'), ['/api/v1/products', '/api/v1/search']);

  const look = async (chosen: File): Promise<void> => {
    const table = await readTableFile(chosen, i18n.language);
    if (latest.current !== chosen) return;
    setWorkbook(table === null);
    if (table === null) return;
    const plan = await send(table, 'true');
    if (latest.current === chosen) setLooked({ table, plan });
  };
  const choose = (chosen: File | null) => {
    latest.current = chosen;
    setFile(chosen);
    setLooked(null);
    setError(null);
    setWorkbook(false);
    if (chosen !== null)
      look(chosen).catch((failure: Error) => {
        if (latest.current === chosen) setError(failure);
      });
  };
  const isLooking = file !== null && looked === null && error === null && !isWorkbook;
  const count = looked === null ? 0 : looked.plan.created + looked.plan.updated;
  const confirm = async () => {
    if (looked === null) return;
    setError(null);
    const leadTo = goOn();
    try {
      const { created, updated } = await take.mutateAsync(looked.table);
      const changed = created + updated;
      // Tried again after a lost answer, it has nothing left to change.
      notify(changed === 0 ? t('import.held') : t('import.done', { count: changed }));
      void leadTo('/products');
    } catch (failure) {
      setError(failure as Error);
    }
  };
  return (
    <>
      <PageHeader
        title={t('import.title')}
        description={t('import.lead')}
        parents={[{ label: t('title'), to: '/products' }]}
      />
      <Stack maw={900}>
        <Paper p="lg">
          <Stack>
            <FileField
              label={t('import.file')}
              description={t('import.hint')}
              placeholder={t('import.choose')}
              accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,text/plain"
              leftSection={<IconUpload size={16} aria-hidden />}
              readOnly={take.isPending}
              value={file}
              onChange={choose}
            />
            <Group>
              <Button
                variant="default"
                leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
                onClick={() =>
                  saveBlob(new Blob([`\uFEFF${COLUMNS.join(',')}\r\n`], { type: 'text/csv' }), 'products.csv')
                }
              >
                {t('import.template')}
              </Button>
            </Group>
            <Text size="sm" c="dimmed" role="status" hidden={!isLooking}>
              {isLooking && t('import.looking')}
            </Text>
          </Stack>
        </Paper>
        {isWorkbook && (
          <Alert color="red" variant="light" role="alert" title={t('import.workbook')}>
            {t('import.workbookText')}
          </Alert>
        )}
        {error !== null && <Refused error={error} />}
        {looked !== null && <Plan plan={looked.plan} />}
        <Group justify="flex-end">
          <Button component={Link} to="/products" variant="default">
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button disabled={count === 0} loading={take.isPending} onClick={() => void confirm()}>
            {count === 0 ? t('import.open') : t('import.confirm', { count })}
          </Button>
        </Group>
      </Stack>
    </>
  );
}

/** The name of a column as the screens have it. */
function useColumnNames(): (column: string) => string {
  const { t } = useTranslation('products');
  return (column) => (COLUMNS.some((one) => one === column) ? t(column) : column);
}

/** What is wrong with a table, by rows as a spreadsheet counts them. */
function Refused({ error }: { error: Error }) {
  const { t } = useTranslation('products');
  const formats = useFormats();
  const columnOf = useColumnNames();
  const isRefused = (path: string, code: string): boolean =>
    error instanceof ApiError && error.fields.some((field) => field.path === path && field.code === code);
  // More of them than the heading has.
  const isOfCells = (path: string): boolean => isRefused(path, 'TOO_MANY');
  const nameOf = (path: string): string | null => {
    if (path === '')
      return isRefused('', 'TOO_FEW') || isRefused('', 'TOO_MANY') ? t('import.products') : null;
    const place = placeOf(path);
    if (place === null) return null;
    const { row, column } = place;
    const number = formats.number(row);
    if (column !== null) return t('import.cell', { row: number, column: columnOf(column) });
    return t(isOfCells(path) ? 'import.cells' : 'import.row', { row: number });
  };
  return <ErrorAlert error={error} nameOf={nameOf} />;
}

/** What a table would change. */
function Plan({ plan: { created, updated, unchanged, changes } }: { plan: Import }) {
  const { t } = useTranslation('products');
  const formats = useFormats();
  const columnOf = useColumnNames();
  const more = created + updated - changes.length;
  return (
    <Paper p="lg" role="region" aria-label={t('import.plan')}>
      <Stack gap="sm">
        <Group gap="lg" role="status">
          <Text fw={600}>{t('import.created', { count: created })}</Text>
          <Text fw={600}>{t('import.updated', { count: updated })}</Text>
          <Text c="dimmed">{t('import.unchanged', { count: unchanged })}</Text>
        </Group>
        {changes.length > 0 && (
          <Table.ScrollContainer minWidth={310} type="native" tabIndex={0}>
            <Table verticalSpacing={6} fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('sku')}</Table.Th>
                  <Table.Th>{t('name')}</Table.Th>
                  <Table.Th>{t('import.change')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {changes.map(({ row, sku, name, change, fields }) => (
                  <Table.Tr key={row}>
                    <Table.Th scope="row" fw={450} className="mono">
                      <bdi>{sku}</bdi>
                    </Table.Th>
                    <Table.Td>
                      <bdi>{name}</bdi>
                    </Table.Td>
                    <Table.Td>
                      {change === 'created' ? (
                        <StatusBadge tone="good" label={t('import.new')} />
                      ) : (
                        formats.list(fields.map(columnOf))
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {more > 0 && (
          <Text size="sm" c="dimmed">
            {t('import.more', { count: more })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
