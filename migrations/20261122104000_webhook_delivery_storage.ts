import type { Knex } from 'knex';

// An attempt's row is written small and settled large, a dispatch is claimed and settled: with room left in the page the
// second version stands beside the first (a HOT update) and no index is written again. 15% of small rows fill a page
// once they are settled; see docs/adr/0073.
const FILLFACTORS = { webhook_deliveries: 15, webhook_dispatches: 50 } as const;

const makePartitions = (fillfactors: string) => `
    create or replace function ensure_month_partitions(parent text, from_month date, to_month date) returns integer
    language plpgsql as $$
    declare
      month date := date_trunc('month', from_month)::date;
      partition text;
      made integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('partitions:' || parent));
      while month <= to_month loop
        partition := parent || '_' || to_char(month, 'YYYY_MM');
        if to_regclass(partition) is null then
          execute format('create table %I (like %I including all)', partition, parent);
          ${fillfactors}
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
      for one in
        select i.inhrelid::regclass as name, i.inhparent::regclass::text as parent from pg_inherits i
         where i.inhparent in ('webhook_deliveries'::regclass, 'webhook_dispatches'::regclass)
      loop
        execute format(${change});
      end loop;
    end $$;`;

const { webhook_deliveries: deliveries, webhook_dispatches: dispatches } = FILLFACTORS;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${makePartitions(`if parent in ('webhook_deliveries', 'webhook_dispatches') then
            execute format('alter table %I set (fillfactor = %s)', partition,
              case parent when 'webhook_deliveries' then ${deliveries} else ${dispatches} end);
          end if;`)}
    ${eachPartition(`'alter table %s set (fillfactor = %s)', one.name,
          case one.parent when 'webhook_deliveries' then ${deliveries} else ${dispatches} end`)}

    -- An attempt is always looked up with its endpoint: one index finds it and lists it.
    alter table webhook_deliveries drop constraint webhook_deliveries_pkey, add primary key (endpoint_id, id);
    drop index webhook_deliveries_newest;

    -- Attempts of the last day by hour: [[hours since 1970, delivered, failed], …].
    alter table webhook_endpoints add column recent jsonb not null default '[]' check (jsonb_typeof(recent) = 'array');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints drop column recent;
    create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, id desc);
    alter table webhook_deliveries drop constraint webhook_deliveries_pkey, add primary key (id);
    ${eachPartition(`'alter table %s reset (fillfactor)', one.name`)}
    ${makePartitions('')}
  `);
}
