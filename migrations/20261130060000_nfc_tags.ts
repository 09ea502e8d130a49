import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether the packages of its units have an NFC tag that signs each tap.
    alter table batches add column nfc_tags boolean not null default false;
    -- What such tags have signed, by the scan that each tap made: what tells one visitor from another stays there, and goes with it.
    create table nfc_taps (
      scan_id uuid not null,
      -- Of the tag: each tap has the next one.
      counter integer not null check (counter between 0 and 16777215),
      org_id uuid not null references organizations,
      unit_id uuid not null,
      at timestamptz not null,
      -- Which of the unit's visitors came with a used tap, from 1: told apart at the time, by what retention takes from the scan. New taps
      -- have one each.
      visitor integer not null check (visitor >= 1),
      -- Since when somebody else had come with this tap or a later one; null where it was new.
      stale_since timestamptz,
      -- Whether the visitor came by a link of another site, and so hardly from the tag.
      is_linked boolean not null,
      primary key (scan_id, counter)
    );
    create index nfc_taps_in_order on nfc_taps (unit_id, at, scan_id);
    create index nfc_taps_counters on nfc_taps (unit_id, counter, at);
    create index nfc_taps_replayed on nfc_taps (unit_id, at, visitor) where stale_since is not null and not is_linked;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table nfc_taps; alter table batches drop column nfc_tags');
}
