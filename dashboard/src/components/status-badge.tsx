import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconInfoCircle,
  type Icon,
} from '@tabler/icons-react';

export type Tone = 'good' | 'warning' | 'bad' | 'info' | 'neutral';

const TONES: Record<Tone, { icon: Icon; color: string; ink: string }> = {
  good: { icon: IconCircleCheck, color: 'green', ink: 'light-dark(#1d6b34, #8fdba5)' },
  warning: { icon: IconAlertTriangle, color: 'yellow', ink: 'light-dark(#7a4b00, #ffd479)' },
  bad: { icon: IconCircleX, color: 'red', ink: 'light-dark(#a3211a, #ffa79c)' },
  info: { icon: IconInfoCircle, color: 'blue', ink: 'light-dark(#155a9c, #9ccdff)' },
  neutral: { icon: IconClock, color: 'gray', ink: 'var(--mantine-color-dimmed)' },
};

/** A state as colour, sign and word, so that none of the three is needed alone. */
export function StatusBadge({ tone, label, icon }: { tone: Tone; label: string; icon?: Icon }) {
  const { color, ink, icon: usual } = TONES[tone];
  const Picture = icon ?? usual;
  return (
    <Badge
      variant="light"
      color={color}
      leftSection={<Picture size={13} aria-hidden />}
      styles={{ root: { color: ink, flex: 'none', width: 'max-content', maxWidth: 'none' } }}
    >
      {label}
    </Badge>
  );
}
