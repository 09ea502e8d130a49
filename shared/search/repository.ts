/** What a search may find, kind by kind: by id, and the kinds that have names also by text. */
import type { Db } from '../db.ts';
import type { DigitalLink } from '../gs1/digital-link.ts';
import { searchPattern, serialRanges, wholePattern } from './pattern.ts';

export interface HitRow {
  id: string;
  title: string | null;
  subtitle: string | null;
}

type FindById = (db: Db, orgId: string, id: string) => Promise<HitRow[]>;
type FindByText = (db: Db, orgId: string, q: string, limit: number) => Promise<HitRow[]>;

const byId =
  (sql: string): FindById =>
  async (db, orgId, id) =>
    (await db.query<HitRow>(sql, [orgId, id])).rows;

export const findProduct = byId(
  'select id, name as title, sku as subtitle from products where org_id = $1 and id = $2',
);

export const findBatch = byId(
  `select b.id, b.lot as title, p.name as subtitle from batches b join products p on p.id = b.product_id
    where b.org_id = $1 and b.id = $2`,
);

export const findUnit = byId(
  `select u.id, u.serial as title, p.name as subtitle from product_units u join products p on p.id = u.product_id
    where u.org_id = $1 and u.id = $2`,
);

export async function findUnitByCode(db: Db, orgId: string, code: Buffer): Promise<HitRow[]> {
  const { rows } = await db.query<HitRow>(
    `select u.id, u.serial as title, p.name as subtitle from product_units u join products p on p.id = u.product_id
      where u.org_id = $1 and u.code = $2`,
    [orgId, code],
  );
  return rows;
}

type FindByLink = (db: Db, orgId: string, link: DigitalLink) => Promise<HitRow[]>;

const byLink =
  (sql: string, fields: readonly (keyof DigitalLink)[]): FindByLink =>
  async (db, orgId, link) =>
    (await db.query<HitRow>(sql, [orgId, ...fields.map((field) => link[field] ?? null)])).rows;

/** What a link names, by its finest qualifier: several where the organization has one GTIN for several products. */
export const findProductsByLink = byLink(
  'select id, name as title, sku as subtitle from products where org_id = $1 and gtin = $2 order by id desc limit 5',
  ['gtin'],
);

export const findBatchesByLink = byLink(
  `select b.id, b.lot as title, p.name as subtitle from batches b join products p on p.id = b.product_id
    where p.org_id = $1 and p.gtin = $2 and (b.lot = $3 or $3 = any(b.former_lots)) order by b.id desc limit 5`,
  ['gtin', 'lot'],
);

/** Whatever lot it says: a serial is of one unit of a product, and who looks into a wrong label wants that unit. */
export const findUnitsByLink = byLink(
  `select u.id, u.serial as title, p.name as subtitle from product_units u join products p on p.id = u.product_id
    where p.org_id = $1 and p.gtin = $2 and u.serial = $3 order by u.id desc limit 5`,
  ['gtin', 'serial'],
);

export const findConsignment = byId(
  `select id, coalesce(reference, sscc) as title, destination ->> 'name' as subtitle
     from consignments where org_id = $1 and id = $2`,
);

export const findRecall = byId(
  'select id, reason as title, scope as subtitle from recalls where org_id = $1 and id = $2',
);

export const findReport = byId(
  'select id, left(description, 100) as title, serial as subtitle from counterfeit_reports where org_id = $1 and id = $2',
);

export const findCase = byId(
  `select c.id, u.serial as title, p.name as subtitle
     from risk_cases c
     join product_units u on u.org_id = c.org_id and u.id = c.unit_id
     join products p on p.id = c.product_id
    where c.org_id = $1 and c.id = $2`,
);

export const findScan = byId(
  `select s.id, u.serial as title, p.name as subtitle
     from scans s
     join product_units u on u.org_id = s.org_id and u.id = s.unit_id
     join products p on p.id = s.product_id
    where s.org_id = $1 and s.id = $2`,
);

export const findBarcodeJob = byId(
  `select j.id, b.lot as title, p.name as subtitle
     from barcode_jobs j
     join batches b on b.id = j.batch_id
     join products p on p.id = b.product_id
    where j.org_id = $1 and j.id = $2`,
);

export const findEndpoint = byId(
  'select id, url as title, description as subtitle from webhook_endpoints where org_id = $1 and id = $2 and deleted_at is null',
);

/** Those that have a whole word as typed first, then the newest. */
export const searchProducts: FindByText = async (db, orgId, q, limit) => {
  const { rows } = await db.query<HitRow>(
    `select p.id, p.name as title, p.sku as subtitle
       from (select id, min(rank) as rank
               from ((select id, 0 as rank from products where org_id = $1 and search_text like search_form($2)
                       order by id desc limit $4)
                     union all
                     (select id, 1 from products where org_id = $1 and search_text like search_form($3)
                       order by id desc limit $4)) found
              group by id) h
       join products p on p.id = h.id
      order by h.rank, p.id desc
      limit $4`,
    [orgId, wholePattern(q), searchPattern(q), limit],
  );
  return rows;
};

export const searchBatches: FindByText = async (db, orgId, q, limit) => {
  const { rows } = await db.query<HitRow>(
    `select b.id, b.lot as title, p.name as subtitle
       from (select id, min(rank) as rank
               from ((select id, 0 as rank from batches where org_id = $1 and search_text like search_form($2)
                       order by id desc limit $4)
                     union all
                     (select id, 1 from batches where org_id = $1 and search_text like search_form($3)
                       order by id desc limit $4)) found
              group by id) h
       join batches b on b.id = h.id
       join products p on p.id = b.product_id
      order by h.rank, b.id desc
      limit $4`,
    [orgId, wholePattern(q), searchPattern(q), limit],
  );
  return rows;
};

/** In the order of the serials, so that one that was typed whole comes first. */
export const searchUnits: FindByText = async (db, orgId, q, limit) => {
  const { rows } = await db.query<HitRow>(
    `select u.id, u.serial as title, p.name as subtitle
       from products p
      cross join lateral (
        (select id, serial from product_units where product_id = p.id and serial between $2 and $3 order by serial limit $6)
        union
        (select id, serial from product_units where product_id = p.id and serial between $4 and $5 order by serial limit $6)
      ) u
      where p.org_id = $1
      order by u.serial, u.id
      limit $6`,
    [orgId, ...serialRanges(q), limit],
  );
  return rows;
};

export const searchConsignments: FindByText = async (db, orgId, q, limit) => {
  const { rows } = await db.query<HitRow>(
    `select c.id, coalesce(c.reference, c.sscc) as title, c.destination ->> 'name' as subtitle
       from (select id, min(rank) as rank
               from ((select id, 0 as rank from consignments where org_id = $1 and search_text like search_form($2)
                       order by id desc limit $4)
                     union all
                     (select id, 1 from consignments where org_id = $1 and search_text like search_form($3)
                       order by id desc limit $4)) found
              group by id) h
       join consignments c on c.id = h.id
      order by h.rank, c.id desc
      limit $4`,
    [orgId, wholePattern(q), searchPattern(q), limit],
  );
  return rows;
};
