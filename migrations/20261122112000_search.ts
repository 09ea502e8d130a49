import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What lists are searched by, in one text: each part between spaces, so that "% ab%" finds beginnings and "% abc %" whole
    -- words. Part of a word is found by trigrams (ADR 0093).
    create extension if not exists pg_trgm;

    alter table products add column search_text text not null generated always as
      (lower(' ' || name || ' ' || sku || ' ' || coalesce(gtin, '') || ' ' || coalesce(brand, '') || ' ')) stored;
    create index products_search on products using gin (search_text gin_trgm_ops);

    alter table batches add column search_text text not null generated always as (lower(' ' || coalesce(lot, '') || ' ')) stored;
    create index batches_search on batches using gin (search_text gin_trgm_ops);

    alter table consignments add column search_text text not null generated always as
      (lower(' ' || coalesce(reference, '') || ' ' || coalesce(sscc, '') || ' ' || coalesce(destination ->> 'name', '') || ' ')) stored;
    create index consignments_search on consignments using gin (search_text gin_trgm_ops);

    alter table counterfeit_reports add column search_text text not null generated always as
      (lower(' ' || coalesce(serial, '') || ' ' || coalesce(lot, '') || ' ' || coalesce(brand, '') || ' '
             || coalesce(purchased_from, '') || ' ' || description || ' ')) stored;
    create index counterfeit_reports_search on counterfeit_reports using gin (search_text gin_trgm_ops);

    -- Units are written by the million: no further index. In the order of the characters, the one that keeps a product's
    -- serials apart also finds their beginnings.
    alter table product_units alter column serial type text collate "C";
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table product_units alter column serial type text collate "default";
    alter table counterfeit_reports drop column search_text;
    alter table consignments drop column search_text;
    alter table batches drop column search_text;
    alter table products drop column search_text;
    drop extension pg_trgm;
  `);
}
