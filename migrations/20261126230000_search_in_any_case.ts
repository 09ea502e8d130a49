import type { Knex } from 'knex';

/** What each list is searched by, in one text: each part between spaces (ADR 0093). */
const PARTS: Record<string, string> = {
  products: `' ' || name || ' ' || sku || ' ' || coalesce(gtin, '') || ' ' || coalesce(brand, '') || ' '`,
  batches: `' ' || coalesce(lot, '') || ' '`,
  consignments: `' ' || coalesce(reference, '') || ' ' || coalesce(sscc, '') || ' ' || coalesce(destination ->> 'name', '') || ' '`,
  counterfeit_reports: `' ' || coalesce(serial, '') || ' ' || coalesce(lot, '') || ' ' || coalesce(brand, '') || ' '
                        || coalesce(purchased_from, '') || ' ' || description || ' '`,
};

/**
 * A generated column is written anew, and its index with it. The tables are locked before, as a service that is running locks
 * them: one that reads batches and waits for the products that are written would have batches wait for itself, a deadlock.
 */
const searchedBy = (form: string): string =>
  'lock table counterfeit_reports, consignments, batches, products in access exclusive mode;' +
  Object.entries(PARTS)
    .map(
      ([table, parts]) => `
    alter table ${table} drop column search_text,
      add column search_text text not null generated always as (${form}(${parts})) stored;
    create index ${table}_search on ${table} using gin (search_text gin_trgm_ops);`,
    )
    .join('');

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One form of what looks or is read alike: capitals of every script, whatever the database's locale, and wide, narrow or
    -- composed characters. A Postgres without ICU has capitals by its locale. Where a text ends does not decide
    -- of a Σ (σ and ς are one), and the dot that İ leaves behind its i is dropped.
    do $$ begin
      execute 'create function search_form(text) returns text language sql immutable strict parallel safe
        return translate(lower(normalize($1, nfkc)' ||
        case when exists (select from pg_collation where collname = 'und-x-icu') then ' collate "und-x-icu"' else '' end ||
        $form$), U&'\\03C2\\0307', U&'\\03C3')$form$;
    end $$;
    ${searchedBy('search_form')}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${searchedBy('lower')}
    drop function search_form(text);
  `);
}
