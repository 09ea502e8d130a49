/** The brand that a page shows: the organization's, or the service's own where the code is nobody's. */
import type { Config } from '../../shared/config.ts';
import { shownDomain } from '../../shared/domains/service.ts';
import type { Site } from '../../shared/code-hosts/sites.ts';
import type { BrandedOrganization } from '../../shared/scans/organization.ts';
import type { Brand } from './page/brand.ts';

const SERVICE_NAME = 'Touchstone';

/** @param config decides whether an organization's name needs a proof: not where the operator makes them all. */
export const brandOf = (
  organization: BrandedOrganization | null,
  config: Pick<Config, 'SIGN_UP'>,
): Brand => ({
  name: organization?.name ?? SERVICE_NAME,
  logoUrl: organization?.logoUrl ?? null,
  color: organization?.brandColor ?? null,
  support: organization?.support ?? null,
  message: organization?.consumerMessage ?? null,
  messages: organization?.consumerMessages ?? {},
  ...standingOf(organization, config),
});

/** Of a page about nobody's code: that of whose address it stands at, but no word on who that is, which would be taken for one on the code. */
export const brandOfSite = ({ organization }: Site, config: Pick<Config, 'SIGN_UP'>): Brand => ({
  ...brandOf(organization, config),
  ...standingOf(null, config),
});

/** @param organization whose code it is; null where it is nobody's */
export const brandAt = (
  site: Site,
  organization: BrandedOrganization | null,
  config: Pick<Config, 'SIGN_UP'>,
): Brand => (organization === null ? brandOfSite(site, config) : brandOf(organization, config));

/** What the page says of whether an organization is who it says. */
export function standingOf(
  organization: Pick<BrandedOrganization, 'domain'> | null,
  { SIGN_UP: signUp }: Pick<Config, 'SIGN_UP'>,
): Pick<Brand, 'domain' | 'isUnconfirmed'> {
  const domain = organization?.domain ?? null;
  return {
    domain: domain === null ? null : shownDomain(domain),
    isUnconfirmed: organization !== null && domain === null && signUp === 'open',
  };
}
