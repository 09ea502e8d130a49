import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table product_units add column voided_at timestamptz;
    alter table product_units add constraint product_units_voided_at check (voided_at is null or status = 'voided') not valid;

    -- Each kind of EPCIS event in its order: newest first, by time and id. Units go by their id, scans by scans_newest.
    create index product_units_voided on product_units (org_id, voided_at desc, id desc) where voided_at is not null;
    create index consignments_shipped on consignments (org_id, dispatched_at desc, id desc) where dispatched_at is not null;
    create index consignments_received on consignments (org_id, received_at desc, id desc) where received_at is not null;
    create index recalls_begun on recalls (org_id, created_at desc, id desc);
    create index recalls_lifted on recalls (org_id, lifted_at desc, id desc) where lifted_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index recalls_lifted;
    drop index recalls_begun;
    drop index consignments_received;
    drop index consignments_shipped;
    drop index product_units_voided;
    alter table product_units drop constraint product_units_voided_at, drop column voided_at;
  `);
}
