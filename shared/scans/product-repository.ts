/** What a code tells that names a product or a lot of it. */
import type { Db } from '../db.ts';
import { isInForce } from '../recall-in-force.ts';
import type { ProductLink } from '../products/links.ts';
import { brandedBy, ORGANIZATION_COLUMNS, type OrganizationColumns } from './organization.ts';

export interface NamedProductRow extends OrganizationColumns {
  name: string;
  brand: string | null;
  image_url: string | null;
  gtin: string;
  links: ProductLink[];
  /** Of the recall in force that is told; null where there is none. */
  recall_scope: 'batch' | 'product' | null;
  recall_messages: Record<string, string> | null;
  recall_contact: string | null;
}

/** What a code names that stands for no single piece. */
export interface NamedCode {
  gtin: string;
  /** As the code has it; null where it names none. */
  lot: string | null;
  /** UUID of whose codes alone are known where it was scanned; null or left out where everybody's are. */
  orgId?: string | null;
}

/**
 * The product that was registered first with a GTIN, as for units: nobody who registers it later can put a word here; of the same
 * organization's, one that is archived only where all are. Recalls
 * of further products of the same organization count too, for a GTIN does not tell them apart; in the order of `unit_supply`.
 * That a lot is known shows in nothing but its recall.
 */
export async function findProductByGtin(
  db: Db,
  { gtin, lot, orgId = null }: NamedCode,
): Promise<NamedProductRow | null> {
  const { rows } = await db.query<NamedProductRow>({
    name: 'find-product-by-gtin',
    text: `select p.name, p.brand, p.image_url, p.gtin, p.links, p.org_id, ${ORGANIZATION_COLUMNS},
                  r.scope as recall_scope, r.messages as recall_messages, r.contact as recall_contact
             from (select org_id, name, brand, image_url, gtin, links from products
                    where gtin = $1
                      and org_id = (select s.org_id from products s
                                      join organizations so on so.id = s.org_id and so.blocked_at is null
                                     where s.gtin = $1 and ($3::uuid is null or s.org_id = $3)
                                     order by s.id limit 1)
                    order by archived_at is not null, id
                    limit 1) p
             ${brandedBy('p.org_id')}
             left join lateral (
               select scope, messages, contact from recalls
                where ${isInForce('recalls')}
                  and target_id = any(
                        array(select s.id from products s where s.org_id = p.org_id and s.gtin = $1)
                        || array(select b.id
                                   from products s
                                   join batches b on b.org_id = s.org_id and b.product_id = s.id
                                  where s.org_id = p.org_id and s.gtin = $1 and $2::text is not null
                                    and (b.lot = $2 or $2 = any(b.former_lots))))
                order by array_position(array['batch', 'product'], scope), starts_at, id
                limit 1
             ) r on true`,
    values: [gtin, lot, orgId],
  });
  return rows[0] ?? null;
}
