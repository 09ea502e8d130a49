import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How units looked when a new visitor came, before anybody could know: what an organization's hindsight is learned from
    -- (shared/risk/hindsight.ts). Rows go with the scans' retention.
    create table risk_looks (
      unit_id uuid not null,
      visitors smallint not null,
      org_id uuid not null references organizations on delete cascade,
      at timestamptz not null,
      look real[] not null,
      primary key (unit_id, visitors)
    );
    create index risk_looks_by_time on risk_looks (org_id, at);
    -- A version is never changed, so who has it need not read what was learned again.
    alter table organization_audiences
      add column hindsight jsonb,
      add column hindsight_version uuid,
      add column hindsight_learned_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table risk_looks;
    alter table organization_audiences
      drop column hindsight, drop column hindsight_version, drop column hindsight_learned_at;
  `);
}
