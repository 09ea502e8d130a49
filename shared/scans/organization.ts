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
