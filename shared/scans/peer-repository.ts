/** Where units were first seen by their markets; what it is for: `shared/risk/peers.ts`. */
import { plainArray, textArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import { NO_SIGHTINGS, type LotSightings } from '../risk/lot.ts';
import { nameOfMarkets, nobody, type OrganizationCount } from '../risk/peers.ts';
import { addedCounts } from './added-counts.ts';

/** What was asked for of where units were first seen, those that ask included; also what nobody was seen of yet. */
export interface PeerSightings {
  /** Of the same markets, by {@link peerKey}. */
  same: Map<string, LotSightings>;
  /** Of an organization, by its id. */
  all: Map<string, OrganizationCount>;
}

interface Asking {
  org_id: string;
  markets: readonly string[];
}

interface PeerRow {
  org_id: string;
  /** Null in the row of the organization. */
  markets: string | null;
  units: number;
  outside: Record<string, number>;
  sold_in: Record<string, number> | null;
}

/** The same for all units of an organization that have the same markets. */
export const peerKey = ({ org_id: orgId, markets }: Asking): string => `${orgId} ${nameOfMarkets(markets)}`;

/** One statement, so that an organization's units and those of the same markets among them are of one moment. */
export async function findPeers(db: Db, units: readonly Asking[]): Promise<PeerSightings> {
  // The same few come back for many units.
  const same = new Map(units.map((unit) => [peerKey(unit), NO_SIGHTINGS]));
  const all = new Map(units.map(({ org_id: orgId }) => [orgId, nobody()]));
  if (units.length === 0) return { same, all };
  const asked = [...same.keys()].map((key) => key.split(' '));
  const { rows } = await db.query<PeerRow>({
    name: 'find-peers',
    text: `select m.org_id, m.markets, m.units, m.outside, null::jsonb as sold_in
             from unnest($1::uuid[], $2::text[]) as w (org_id, markets)
             join market_sightings m on m.org_id = w.org_id and m.markets = w.markets
            union all
           select org_id, null, units, outside, sold_in from organization_sightings where org_id = any($3::uuid[])`,
    values: [
      plainArray(asked.map(([orgId]) => orgId!)),
      textArray(asked.map(([, markets]) => markets!)),
      plainArray([...all.keys()]),
    ],
  });
  for (const { org_id: orgId, markets, units: count, outside, sold_in: soldIn } of rows) {
    const sightings = { units: count, outside };
    if (markets === null) all.set(orgId, { ...sightings, soldIn: soldIn! });
    else same.set(`${orgId} ${markets}`, sightings);
  }
  return { same, all };
}

/** Units of one organization and the same markets that a transaction saw for the first time. */
export interface NewPeers {
  orgId: string;
  markets: readonly string[];
  sightings: LotSightings;
}

/**
 * One statement, and rows in one order, so that no two scorers deadlock: those of organizations first, as Postgres runs a statement
 * within another that nothing reads from when the outer one is done.
 */
export async function addPeers(db: Db, seen: readonly NewPeers[]): Promise<void> {
  if (seen.length === 0) return;
  const organizations = new Map<string, OrganizationCount>();
  for (const { orgId, markets, sightings } of seen) {
    const { units, outside, soldIn } = organizations.get(orgId) ?? nobody();
    const sold = Object.fromEntries(markets.map((market) => [market, sightings.units]));
    organizations.set(orgId, {
      units: units + sightings.units,
      outside: sum(outside, sightings.outside),
      soldIn: sum(soldIn, sold),
    });
  }
  const all = [...organizations.values()];
  await db.query({
    name: 'add-peers',
    text: `with of_markets as (
             insert into market_sightings as m (org_id, markets, units, outside)
             select org_id, markets, units, outside
               from unnest($1::uuid[], $2::text[], $3::integer[], $4::jsonb[]) as t (org_id, markets, units, outside)
              order by org_id, markets
                 on conflict (org_id, markets) do update
                    set units = m.units + excluded.units, outside = ${addedCounts('m.outside', 'excluded.outside')}
           )
           insert into organization_sightings as o (org_id, units, outside, sold_in)
           select org_id, units, outside, sold_in
             from unnest($5::uuid[], $6::integer[], $7::jsonb[], $8::jsonb[]) as t (org_id, units, outside, sold_in)
            order by org_id
               on conflict (org_id) do update
                  set units = o.units + excluded.units, outside = ${addedCounts('o.outside', 'excluded.outside')},
                      sold_in = ${addedCounts('o.sold_in', 'excluded.sold_in')}`,
    values: [
      plainArray(seen.map(({ orgId }) => orgId)),
      textArray(seen.map(({ markets }) => nameOfMarkets(markets))),
      plainArray(seen.map(({ sightings }) => sightings.units)),
      textArray(seen.map(({ sightings }) => JSON.stringify(sightings.outside))),
      plainArray([...organizations.keys()]),
      plainArray(all.map(({ units }) => units)),
      textArray(all.map(({ outside }) => JSON.stringify(outside))),
      textArray(all.map(({ soldIn }) => JSON.stringify(soldIn))),
    ],
  });
}

type Counts = Readonly<Record<string, number>>;

function sum(a: Counts, b: Counts): Counts {
  const result: Record<string, number> = { ...a };
  for (const [country, units] of Object.entries(b)) result[country] = (result[country] ?? 0) + units;
  return result;
}
