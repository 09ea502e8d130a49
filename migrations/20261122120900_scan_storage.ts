import type { Knex } from 'knex';

// A scan is written once and scored once, soon after. With room left in the page the scored version stands beside the first
// (a HOT update) and none of the eight indexes is written again, as long as the verdict stays what it was at first.
const FILLFACTORS = { webhook_deliveries: 15, webhook_dispatches: 50 } as const;
const SCANS = 60;

const makePartitions = (fillfactors: Record<string, number>) => `
    create or replace function ensure_month_partitions(parent text, from_month date, to_month date) returns integer
    language plpgsql as $$
    declare
      month date := date_trunc('month', from_month)::date;
      partition text;
      made integer := 0;
      fill integer := ('${JSON.stringify(fillfactors)}'::jsonb ->> parent)::integer;
    begin
      perform pg_advisory_xact_lock(hashtext('partitions:' || parent));
      while month <= to_month loop
        partition := parent || '_' || to_char(month, 'YYYY_MM');
        if to_regclass(partition) is null then
          execute format('create table %I (like %I including all)', partition, parent);
          if fill is not null then
            execute format('alter table %I set (fillfactor = %s)', partition, fill);
          end if;
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
            uuid_floor(month::timestamp at time zone 'UTC'),
            uuid_floor((month + interval '1 month')::timestamp at time zone 'UTC'));
          made := made + 1;
        end if;
        month := (month + interval '1 month')::date;
      end loop;
      return made;
    end $$;`;

const eachPartition = (change: string) => `
    do $$
    declare
      one record;
    begin
      for one in select inhrelid::regclass as name from pg_inherits where inhparent = 'scans'::regclass loop
        execute format('alter table %s ${change}', one.name);
      end loop;
    end $$;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${makePartitions({ ...FILLFACTORS, scans: SCANS })}
    ${eachPartition(`set (fillfactor = ${SCANS})`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${eachPartition('reset (fillfactor)')}
    ${makePartitions(FILLFACTORS)}
  `);
}
