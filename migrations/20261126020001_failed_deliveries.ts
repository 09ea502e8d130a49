import type { NewIndex } from '../shared/new-index.ts';

/**
 * Failed attempts among millions that succeeded. By the error's class and not by the outcome: an attempt that succeeds leaves that
 * column as it was, so that settling it still writes no index (a HOT update, see docs/adr/0073).
 */
export const indexes: readonly NewIndex[] = [
  {
    name: 'webhook_deliveries_failed',
    table: 'webhook_deliveries',
    definition: '(endpoint_id, id desc) where error_class is not null',
  },
];
