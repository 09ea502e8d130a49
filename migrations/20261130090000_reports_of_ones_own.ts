import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table counterfeit_reports
      -- How the organization came by it: a consumer's form, or its own people.
      add column channel text not null default 'consumer'
        check (channel in ('consumer', 'inspection', 'test_purchase', 'online_listing', 'customer_service', 'authority', 'partner')),
      -- Public id of the user or the key that filed it; null for a consumer.
      add column filed_by text,
      -- The day on which it was found or bought.
      add column found_on date,
      add check ((channel = 'consumer') = (filed_by is null));
    alter table counterfeit_report_photos
      -- Public id of the user or the key that added it; null for what the reporter sent.
      add column added_by text,
      -- Of the file as it was added, by which the same one is not added twice.
      add column sha256 bytea check (length(sha256) = 32),
      drop constraint counterfeit_report_photos_position_check,
      add constraint counterfeit_report_photos_position_check check (position >= 1);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    -- No release before knows more than a consumer's five photos. Maintenance removes the files of the others.
    with gone as (delete from counterfeit_report_photos where position > 5 returning original_key, storage_key)
    insert into storage_intake (prefix, created_at)
    select key, now() from gone, unnest(array[original_key, storage_key]) as key where key is not null;
    alter table counterfeit_report_photos
      drop constraint counterfeit_report_photos_position_check,
      add constraint counterfeit_report_photos_position_check check (position between 1 and 5),
      drop column added_by, drop column sha256;
    alter table counterfeit_reports drop column channel, drop column filed_by, drop column found_on;
  `);
}
