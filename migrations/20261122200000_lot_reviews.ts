import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A batch turned out to be sold in a country outside its markets: what its units' earlier scans there mean is asked again,
    -- once for each country.
    create table lot_reviews (
      batch_id uuid not null references batches on delete cascade,
      country text not null check (country ~ '^[A-Z]{2}$'),
      requested_at timestamptz not null,
      -- Units of the batch are looked at in order; the next one.
      next_ordinal integer not null default 0 check (next_ordinal >= 0),
      done_at timestamptz,
      -- Until when a review is passed over whose page could not be done.
      held_until timestamptz,
      primary key (batch_id, country)
    );
    create index lot_reviews_open on lot_reviews (requested_at) where done_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table lot_reviews');
}
