import type { Knex } from 'knex';

/** What else there is about a product, for resolvers and consumers: `[{linkType, url, title, language}]`, few and read as a whole. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table products
    add column links jsonb not null default '[]' check (jsonb_typeof(links) = 'array')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table products drop column links');
}
