/** Where units were first seen by their markets; what it is for: `shared/risk/peers.ts`. */
import { plainArray, textArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import { NO_SIGHTINGS, type LotSightings } from '../risk/lot.ts';
import { nameOfMarkets, type OrganizationSightings } from '../risk/peers.ts';
import { addedCounts } from './added-counts.ts';

/** Units of the same markets, and all of the organization, the asking one included in both. */
export interface PeerCounts {
  same: LotSightings;
  all: OrganizationSightings;
}

interface PeerRow {
  org_id: string;
  markets: string;
  units: number;
  outside: Record<string, number>;
  all_units: number;
  all_outside: Record<string, number>;
  sold_in: Record<string, number>;
}

/** @returns by the unit's id; nothing for one of whose markets no unit was seen yet. */
export async function findPeers(
  db: Db,
  units: readonly { unit_id: string; org_id: string; markets: readonly string[] }[],
): Promise<ReadonlyMap<string, PeerCounts>> {
  if (units.length === 0) return new Map();
  const nameOf = (orgId: string, markets: string) => `${orgId} ${markets}`;
  const asked = units.map(({ unit_id, org_id, markets }) => ({
    unitId: unit_id,
    name: nameOf(org_id, nameOfMarkets(markets)),
  }));
  // The same few come back for many units.
  const names = [...new Set(asked.map(({ name }) => name))].map((name) => name.split(' '));
  const { rows } = await db.query<PeerRow>({
    name: 'find-peers',
    text: `select m.org_id, m.markets, m.units, m.outside, o.units as all_units, o.outside as all_outside, o.sold_in
             from unnest($1::uuid[], $2::text[]) as w (org_id, markets)
             join market_sightings m on m.org_id = w.org_id and m.markets = w.markets
             join organization_sightings o on o.org_id = w.org_id`,
    values: [plainArray(names.map(([orgId]) => orgId!)), textArray(names.map(([, markets]) => markets!))],
  });
  const found = new Map(
    rows.map((row) => [
      nameOf(row.org_id, row.markets),
      {
        same: { units: row.units, outside: row.outside },
        all: { units: row.all_units, outside: row.all_outside, soldIn: row.sold_in },
      },
    ]),
  );
  return new Map(
    asked.flatMap(({ unitId, name }) => {
      const counts = found.get(name);
      return counts === undefined ? [] : [[unitId, counts]];
    }),
  );
}

/** Units of one organization and the same markets that a transaction saw for the first time. */
export interface NewPeers {
  orgId: string;
  markets: readonly string[];
  sightings: LotSightings;
}

/** One statement, and rows in one order, so that no two scorers deadlock. */
export async function addPeers(db: Db, seen: readonly NewPeers[]): Promise<void> {
  if (seen.length === 0) return;
  const organizations = new Map<string, OrganizationSightings>();
  for (const { orgId, markets, sightings } of seen) {
    const { units, outside, soldIn } = organizations.get(orgId) ?? { ...NO_SIGHTINGS, soldIn: {} };
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
