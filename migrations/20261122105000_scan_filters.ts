import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Each filter of a list of scans has an index that begins with it and goes on in the list's order, newest first. What
    -- most scans are (genuine, without risk) is found soon enough by the list's own order.
    drop index scans_newest;
    create index scans_newest on scans (org_id, at desc, id desc);
    create index scans_of_product on scans (org_id, product_id, at desc, id desc);
    create index scans_of_batch on scans (batch_id, at desc, id desc);
    create index scans_by_country on scans (org_id, country, at desc, id desc) where country is not null;
    create index scans_by_result on scans (org_id, result, at desc, id desc) where result <> 'genuine';
    create index scans_by_risk on scans (org_id, risk_level, at desc, id desc) where risk_level <> 'none';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index scans_by_risk;
    drop index scans_by_result;
    drop index scans_by_country;
    drop index scans_of_batch;
    drop index scans_of_product;
    drop index scans_newest;
    create index scans_newest on scans (org_id, id desc);
  `);
}
