import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A recall is an overlay: one row over any number of units, which keep their own state. target_id is the id of a unit,
    -- a batch, a consignment or a product, as scope says; the service checks it in the transaction that inserts.
    create table recalls (
      id uuid primary key,
      org_id uuid not null references organizations,
      scope text not null check (scope in ('unit', 'batch', 'consignment', 'product')),
      target_id uuid not null,
      reason text check (length(reason) <= 1000),
      messages jsonb not null default '{}' check (jsonb_typeof(messages) = 'object'),
      contact text check (length(contact) <= 300),
      starts_at timestamptz not null,
      created_at timestamptz not null,
      lifted_at timestamptz,
      unique (org_id, id)
    );
    -- At most one in force for each target; also how a verification finds it.
    create unique index recalls_in_force on recalls (target_id) where lifted_at is null;
    create index recalls_newest on recalls (org_id, id desc);

    insert into recalls (id, org_id, scope, target_id, reason, starts_at, created_at)
    select gen_random_uuid(), org_id, 'batch', id, recall_reason, recalled_at, recalled_at
      from batches where recalled_at is not null
    union all
    select gen_random_uuid(), org_id, 'unit', id, recall_reason, recalled_at, recalled_at
      from product_units where recalled_at is not null;
    alter table batches drop column recalled_at, drop column recall_reason;
    alter table product_units drop column recalled_at, drop column recall_reason;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table product_units add column recalled_at timestamptz,
      add column recall_reason text check (length(recall_reason) <= 1000);
    alter table batches add column recalled_at timestamptz,
      add column recall_reason text check (length(recall_reason) <= 1000);
    update batches b set recalled_at = r.starts_at, recall_reason = r.reason
      from recalls r where r.target_id = b.id and r.lifted_at is null;
    update product_units u set recalled_at = r.starts_at, recall_reason = r.reason
      from recalls r where r.target_id = u.id and r.lifted_at is null;
    drop table recalls;
  `);
}
