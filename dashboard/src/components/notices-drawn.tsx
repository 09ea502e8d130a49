import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

export { notifications } from '@mantine/notifications';

export const DrawnNotices = () => <Notifications position="bottom-right" />;
