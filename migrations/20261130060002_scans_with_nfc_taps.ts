import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What the NFC tag's signature said that came with the scan; null where none came.
    alter table scans add column nfc_tap text check (nfc_tap in ('fresh', 'replayed', 'invalid'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table scans drop column nfc_tap');
}
