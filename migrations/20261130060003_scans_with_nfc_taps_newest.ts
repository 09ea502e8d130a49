import type { Knex } from 'knex';

/** The list's filter for scans that came with a tap of an NFC tag: they are few among all. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index scans_by_nfc_tap on scans (org_id, nfc_tap, at desc, id desc) where nfc_tap is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index scans_by_nfc_tap');
}
