/** The brand that a page shows: the organization's, or the service's own where the code is nobody's. */
import type { BrandedOrganization } from '../../shared/scans/organization.ts';
import type { Brand } from './page/brand.ts';

const SERVICE_NAME = 'Touchstone';

export const brandOf = (organization: BrandedOrganization | null): Brand => ({
  name: organization?.name ?? SERVICE_NAME,
  logoUrl: organization?.logoUrl ?? null,
  color: organization?.brandColor ?? null,
  support: organization?.support ?? null,
  message: organization?.consumerMessage ?? null,
  messages: organization?.consumerMessages ?? {},
});
