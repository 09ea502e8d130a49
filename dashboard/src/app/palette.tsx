import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../auth/me.ts';
import { navEntries, paletteEntries } from './navigation.ts';

const [store, palette] = createSpotlight();

/** Every place and every common action, found by typing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  useEffect(() => palette.open(), []);

  const places = navEntries(me).map(({ to, label, area, icon: Icon }): SpotlightActionData => ({
    id: `go:${to}`,
    label: t(label, { ns: area }),
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    onClick: () => void navigate({ to }),
  }));
  const actions = paletteEntries(me).map(
    ({ id, to, label, area, icon: Icon, keywords }): SpotlightActionData => {
      const action: SpotlightActionData = {
        id: `${area}:${id}`,
        label: t(label, { ns: area }),
        leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to }),
      };
      if (keywords !== undefined) action.keywords = t(keywords, { ns: area });
      return action;
    },
  );
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      shortcut={null}
      onSpotlightClose={onClose}
      actions={[
        { group: t('palette.actions'), actions },
        { group: t('palette.places'), actions: places },
      ].filter((group) => group.actions.length > 0)}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}
