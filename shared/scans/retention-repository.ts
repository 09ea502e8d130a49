import type { Db } from '../db.ts';

/** Changes up to `batch` scans with `fromId < id < toId`. @returns how many, and the last one's id. */
export type RetentionStep = (
  db: Db,
  fromId: string,
  toId: string,
  batch: number,
) => Promise<{ rows: number; last: string | null }>;

const NONE = '00000000-0000-0000-0000-000000000000';

/** Holds the rule's mark until the transaction ends. */
export async function lockMark(db: Db, rule: string): Promise<string> {
  await db.query('insert into retention_marks (rule, up_to) values ($1, $2) on conflict do nothing', [
    rule,
    NONE,
  ]);
  const { rows } = await db.query<{ up_to: string }>(
    'select up_to from retention_marks where rule = $1 for update',
    [rule],
  );
  return rows[0]!.up_to;
}

export async function moveMark(db: Db, rule: string, upTo: string): Promise<void> {
  await db.query('update retention_marks set up_to = $2 where rule = $1', [rule, upTo]);
}

/** /24 and /48 are kept of the address, one decimal (11 km) of a visitor's own position; browser and session go. */
export const makeCoarse: RetentionStep = async (db, fromId, toId, batch) => {
  const { rows } = await db.query<{ rows: number; last: string | null }>(
    `with due as (
       select id from scans where id > $1 and id < $2 order by id limit $3
     ), changed as (
       update scans s
          set ip = host(network(set_masklen(s.ip, case family(s.ip) when 4 then 24 else 48 end)))::inet,
              user_agent = null, session_id = null,
              lat = case when s.place_source = 'gps' then round(s.lat::numeric, 1)::double precision else s.lat end,
              lon = case when s.place_source = 'gps' then round(s.lon::numeric, 1)::double precision else s.lon end,
              accuracy_km = case when s.place_source = 'gps' then greatest(s.accuracy_km, 11) else s.accuracy_km end
         from due where s.id = due.id and s.id > $1 and s.id < $2
     )
     select count(*) as rows, (array_agg(id order by id desc))[1] as last from due`,
    [fromId, toId, batch],
  );
  return rows[0]!;
};

export const forgetPseudonyms: RetentionStep = async (db, fromId, toId, batch) => {
  const { rows } = await db.query<{ rows: number; last: string | null }>(
    `with due as (
       select id from scans where id > $1 and id < $2 order by id limit $3
     ), changed as (
       update scans s set ip = null, network_id = null
         from due where s.id = due.id and s.id > $1 and s.id < $2
     )
     select count(*) as rows, (array_agg(id order by id desc))[1] as last from due`,
    [fromId, toId, batch],
  );
  return rows[0]!;
};
