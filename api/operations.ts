/** Every operation of the service, in the order of the reference. */
import { analyticsOperations } from './analytics/routes.ts';
import { apiKeyOperations } from './api-keys/routes.ts';
import { attentionOperations } from './attention/routes.ts';
import { auditLogOperations } from './audit-log/routes.ts';
import { authOperations } from './auth/routes.ts';
import { linkOperations } from './auth/link-routes.ts';
import { selfOperations } from './auth/self-routes.ts';
import { previewOperation } from './barcode-jobs/preview.ts';
import { barcodeJobOperations } from './barcode-jobs/routes.ts';
import { brandPreviewOperations } from './brand-preview/routes.ts';
import { batchOperations } from './batches/routes.ts';
import { contactOperations } from './contact/routes.ts';
import { serialOperations } from './batches/serials.ts';
import { bulkJobOperations } from './bulk-jobs/routes.ts';
import { distributorOperations } from './consignments/page/routes.ts';
import { consignmentOperations } from './consignments/routes.ts';
import { publicReportOperations } from './counterfeit-reports/public-routes.ts';
import { ownReportOperations } from './counterfeit-reports/own-routes.ts';
import { reportOperations } from './counterfeit-reports/routes.ts';
import { epcisOperations } from './epcis/routes.ts';
import { eventOperations } from './events/routes.ts';
import { gs1Operations } from './gs1/routes.ts';
import { hiddenCodeOperations } from './hidden-codes/routes.ts';
import { healthOperations } from './health/routes.ts';
import { invitationOperations } from './invitations/routes.ts';
import type { Operation } from './operation.ts';
import { operatorOperations } from './ops/routes.ts';
import { singleSignOnOperations } from './single-sign-on/routes.ts';
import { organizationDomainOperations } from './organization/domain-routes.ts';
import { internalNetworkOperations } from './organization/network-routes.ts';
import { organizationOperations } from './organization/routes.ts';
import { productOperations } from './products/routes.ts';
import { productTableOperations } from './products/table-routes.ts';
import { productUnitOperations } from './product-units/routes.ts';
import { unitImageOperations } from './product-units/image.ts';
import { riskCaseOperations } from './risk-cases/routes.ts';
import { riskPolicyOperations } from './risk-policies/routes.ts';
import { recallOperations } from './recalls/routes.ts';
import { requestErrorOperations } from './request-errors/routes.ts';
import { roleOperations } from './roles/routes.ts';
import { scanExportOperations } from './scan-exports/routes.ts';
import { scanOperations } from './scans/routes.ts';
import { searchOperations } from './search/routes.ts';
import { signUpOperations } from './sign-up/routes.ts';
import { timelineOperations } from './timeline/routes.ts';
import { unitExportOperations } from './unit-exports/routes.ts';
import { userOperations } from './users/routes.ts';
import { verifyOperations } from './verify/routes.ts';
import { webhookOperateOperations } from './webhook-endpoints/operate.ts';
import { recoveryOperations } from './webhook-endpoints/recoveries.ts';
import { webhookEndpointOperations } from './webhook-endpoints/routes.ts';

export const OPERATIONS: readonly Operation[] = [
  ...verifyOperations,
  ...hiddenCodeOperations,
  ...gs1Operations,
  ...productOperations,
  ...productTableOperations,
  ...batchOperations,
  ...serialOperations,
  ...barcodeJobOperations,
  previewOperation,
  ...productUnitOperations,
  ...unitImageOperations,
  ...unitExportOperations,
  ...timelineOperations,
  ...bulkJobOperations,
  ...consignmentOperations,
  ...distributorOperations,
  ...recallOperations,
  ...publicReportOperations,
  ...reportOperations,
  ...ownReportOperations,
  ...scanOperations,
  ...scanExportOperations,
  ...analyticsOperations,
  ...attentionOperations,
  ...searchOperations,
  ...epcisOperations,
  ...riskCaseOperations,
  ...riskPolicyOperations,
  ...webhookEndpointOperations,
  ...webhookOperateOperations,
  ...recoveryOperations,
  ...eventOperations,
  ...signUpOperations,
  ...contactOperations,
  ...authOperations,
  ...linkOperations,
  ...selfOperations,
  ...apiKeyOperations,
  ...requestErrorOperations,
  ...userOperations,
  ...invitationOperations,
  ...roleOperations,
  ...organizationOperations,
  ...organizationDomainOperations,
  ...singleSignOnOperations,
  ...internalNetworkOperations,
  ...brandPreviewOperations,
  ...auditLogOperations,
  ...operatorOperations,
  ...healthOperations,
];
