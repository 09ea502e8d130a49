/** A module of its own, to be loaded when the first one shows. */
export { Tooltip } from '@mantine/core';
