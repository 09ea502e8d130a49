import { notifications } from '@mantine/notifications';
import i18next from 'i18next';

/** Says in a corner that something is done, or (`bad`) that it did not work. */
export const notify = (message: string, tone: 'good' | 'bad' = 'good'): void => {
  notifications.show({
    message,
    color: tone === 'good' ? 'green' : 'red',
    closeButtonProps: { 'aria-label': i18next.t('close', { ns: 'common' }) },
  });
};
