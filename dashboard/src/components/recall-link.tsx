import { Button } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../auth/me.ts';

/** To the form of a new recall with its target chosen, for who may recall. @param target of a unit, batch, consignment or product */
export function RecallLink({ target }: { target: string }) {
  const { t } = useTranslation();
  if (!useMay('product_units.write')) return null;
  return (
    <Button
      component={Link}
      to="/recalls/new"
      search={{ target } as never}
      variant="default"
      leftSection={<IconAlertOctagon size={16} aria-hidden />}
    >
      {t('recall')}
    </Button>
  );
}
