/** Every operation of the service, in the order of the reference. */
import { analyticsOperations } from './analytics/routes.ts';
import { barcodeJobOperations } from './barcode-jobs/routes.ts';
import { batchOperations } from './batches/routes.ts';
import { eventOperations } from './events/routes.ts';
import { healthOperations } from './health/routes.ts';
import type { Operation } from './operation.ts';
import { productOperations } from './products/routes.ts';
import { productUnitOperations } from './product-units/routes.ts';
import { scanOperations } from './scans/routes.ts';
import { verifyOperations } from './verify/routes.ts';
import { webhookOperateOperations } from './webhook-endpoints/operate.ts';
import { recoveryOperations } from './webhook-endpoints/recoveries.ts';
import { webhookEndpointOperations } from './webhook-endpoints/routes.ts';

export const OPERATIONS: readonly Operation[] = [
  ...verifyOperations,
  ...productOperations,
  ...batchOperations,
  ...barcodeJobOperations,
  ...productUnitOperations,
  ...scanOperations,
  ...analyticsOperations,
  ...webhookEndpointOperations,
  ...webhookOperateOperations,
  ...recoveryOperations,
  ...eventOperations,
  ...healthOperations,
];
