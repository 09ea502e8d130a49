/** How an organization shows itself to consumers. */
export interface BrandedOrganization {
  /** UUID; for comparing, never shown. */
  id: string;
  name: string;
  logoUrl: string | null;
  brandColor: string | null;
  support: string | null;
  consumerMessage: string | null;
  /** By language; null where there is none. */
  consumerMessages: Readonly<Record<string, string>> | null;
  /** That it has shown to hold, in ASCII; null where it has not. */
  domain: string | null;
}

export interface OrganizationColumns {
  org_id: string;
  org_name: string;
  logo_url: string | null;
  brand_color: string | null;
  support: string | null;
  consumer_message: string | null;
  consumer_messages: Readonly<Record<string, string>> | null;
  org_domain: string | null;
}

/** What {@link OrganizationColumns} are, but for `org_id`, behind {@link brandedBy}. */
export const ORGANIZATION_COLUMNS =
  'o.name as org_name, o.logo_url, o.brand_color, o.support, o.consumer_message, o.consumer_messages, od.name as org_domain';

/** Joins the organization `o` that a unit or product shows, and the domain that it has shown to hold; what a blocked one has is nobody's. */
export const brandedBy = (orgId: string): string =>
  `join organizations o on o.id = ${orgId} and o.blocked_at is null
   left join organization_domains od on od.org_id = ${orgId} and od.confirmed_at is not null`;

export const organizationOf = (row: OrganizationColumns): BrandedOrganization => ({
  id: row.org_id,
  name: row.org_name,
  logoUrl: row.logo_url,
  brandColor: row.brand_color,
  support: row.support,
  consumerMessage: row.consumer_message,
  consumerMessages: row.consumer_messages,
  domain: row.org_domain,
});
