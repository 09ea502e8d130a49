/** What everybody is told about a product by a code that names it, or a lot of it, and no single piece: no verdict, and no scan. */
import type { Db } from '../db.ts';
import type { ProductLink } from '../products/links.ts';
import { organizationOf, type BrandedOrganization } from './organization.ts';
import { findProductByGtin, type NamedCode } from './product-repository.ts';
import { VERDICT_MESSAGES } from './verdict.ts';

export interface ProductInformation {
  message: string;
  /** Whose product it is; `domain` only where it has shown to hold it. */
  organization: { name: string; domain: string | null };
  product: { name: string; brand: string | null; imageUrl: string | null; gtin: string };
  /** The lot that was asked for, where it is recalled; else null, whether or not there is such a lot (ADR 0114). */
  lot: string | null;
  /** What the organization tells about the recall of the product, or of the lot, in force. */
  recall: { messages: Record<string, string>; contact: string | null } | null;
}

export interface NamedProduct {
  information: ProductInformation;
  organization: BrandedOrganization;
  links: readonly ProductLink[];
}

const NO_VERDICT =
  'This code names the product and no single piece: it does not show whether a piece is genuine. Look for the code of the single piece.';

export async function describeProduct(db: Db, key: NamedCode): Promise<NamedProduct | null> {
  const row = await findProductByGtin(db, key);
  if (row === null) return null;
  const isRecalled = row.recall_scope !== null;
  return {
    organization: organizationOf(row),
    links: row.links,
    information: {
      message: isRecalled ? `${VERDICT_MESSAGES.recalled} ${NO_VERDICT}` : NO_VERDICT,
      organization: { name: row.org_name, domain: row.org_domain },
      product: { name: row.name, brand: row.brand, imageUrl: row.image_url, gtin: row.gtin },
      lot: row.recall_scope === 'batch' ? key.lot : null,
      recall: isRecalled ? { messages: row.recall_messages ?? {}, contact: row.recall_contact } : null,
    },
  };
}
