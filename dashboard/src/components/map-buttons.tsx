import { ActionIcon, Group } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconMinus,
  IconPlus,
  IconZoomReset,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PAN_STEP, ZOOM_STEP, type MapView } from './use-map-view.ts';

const DIRECTIONS = [
  { name: 'left', x: -PAN_STEP, y: 0, icon: IconArrowLeft },
  { name: 'right', x: PAN_STEP, y: 0, icon: IconArrowRight },
  { name: 'up', x: 0, y: -PAN_STEP, icon: IconArrowUp },
  { name: 'down', x: 0, y: PAN_STEP, icon: IconArrowDown },
] as const;

/** All that dragging and pinching do, one press at a time. */
export function MapButtons({ map: { view, zoomBy, panBy, reset } }: { map: MapView }) {
  const { t } = useTranslation();
  const isWhole = view.zoom === 1;
  return (
    <div className="map-buttons">
      {isWhole ? (
        <span />
      ) : (
        <Group gap={4}>
          {DIRECTIONS.map(({ name, x, y, icon: Picture }) => (
            <ActionIcon
              key={name}
              variant="default"
              aria-label={t(`map.${name}`)}
              onClick={() => panBy(x, y)}
            >
              <Picture size={16} />
            </ActionIcon>
          ))}
        </Group>
      )}
      <Group gap={4}>
        <ActionIcon variant="default" aria-label={t('map.zoomIn')} onClick={() => zoomBy(ZOOM_STEP)}>
          <IconPlus size={16} />
        </ActionIcon>
        {/* Not `disabled`, which would take the focus from whoever zooms out by the keyboard. */}
        <ActionIcon
          variant="default"
          aria-label={t('map.zoomOut')}
          aria-disabled={isWhole}
          data-disabled={isWhole || undefined}
          onClick={() => zoomBy(1 / ZOOM_STEP)}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('map.reset')} onClick={reset}>
          <IconZoomReset size={16} />
        </ActionIcon>
      </Group>
    </div>
  );
}
