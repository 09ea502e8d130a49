import type { Knex } from 'knex';

/**
 * The domain that an organization says is its own, one at most, and what came of looking for its record in the DNS. A domain counts
 * where `confirmed_at` is set; one with `seen_at` alone counted once. Work like any other: due, leased, settled.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table organization_domains (
      org_id        uuid primary key references organizations (id) on delete cascade,
      name          text not null check (name = lower(name) and length(name) <= 253),
      record        text not null,
      confirmed_at  timestamptz,
      confirmed_by  text check (confirmed_by in ('dns', 'operator')),
      seen_at       timestamptz,
      missing_since timestamptz,
      checked_at    timestamptz,
      problem       text check (problem in ('NO_RECORD', 'OTHER_RECORD', 'DNS_FAILED')),
      requested_at  timestamptz not null,
      due_at        timestamptz,
      lease_until   timestamptz,
      lease_epoch   integer not null default 0,
      created_at    timestamptz not null,
      check ((confirmed_at is null) = (confirmed_by is null))
    );
    create index organization_domains_due on organization_domains (due_at) where due_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table organization_domains');
}
