import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { notifyError } from './notify.ts';
import { saveBlob } from './save-blob.ts';

type Path =
  | '/api/v1/audit-log/export'
  | '/api/v1/counterfeit-reports.csv'
  | '/api/v1/products.csv'
  | '/api/v1/risk-cases.csv';

/** Without it Excel takes UTF-8 for the computer's old encoding, and writes that down as it saves. Programs get none. */
const BYTE_ORDER_MARK = '\uFEFF';

interface CsvButtonProps {
  path: Path;
  /** The list's own filters: what is shown is what one gets, and every page of it. */
  query: Record<string, string | number | undefined>;
  /** Of the file. */
  name: string;
}

/** Saves a list as a table. */
export function CsvButton({ path, query, name }: CsvButtonProps) {
  const { t } = useTranslation();
  const [isExporting, setExporting] = useState(false);
  const save = async () => {
    setExporting(true);
    try {
      saveBlob(new Blob([BYTE_ORDER_MARK, await api.blob(path, { query })], { type: 'text/csv' }), name);
    } catch (error) {
      notifyError(error);
    } finally {
      setExporting(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isExporting}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void save()}
    >
      {t('exportCsv')}
    </Button>
  );
}
