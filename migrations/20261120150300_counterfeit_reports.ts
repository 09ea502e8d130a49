import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table counterfeit_reports (
      id uuid primary key,
      -- Null for a report without a known code, where the operator has named no inbox.
      org_id uuid references organizations,
      unit_id uuid,
      product_id uuid,
      batch_id uuid,
      serial text,
      lot text,
      -- The newest scan of the unit from the reporter's network, where there is one.
      scan_id uuid,
      code text check (length(code) <= 200),
      brand text check (length(brand) <= 200),
      description text not null check (length(description) between 1 and 2000),
      -- Shop, address or web address.
      purchased_from text check (length(purchased_from) <= 500),
      price text check (length(price) <= 50),
      language text,
      country text check (country ~ '^[A-Z]{2}$'),
      -- Pseudonym of the reporter's network, for caps and for finding repetitions.
      network_id text,
      fingerprint bytea not null check (length(fingerprint) = 32),
      contact_name text check (length(contact_name) <= 200),
      contact_email text check (length(contact_email) <= 254),
      contact_erased_at timestamptz,
      status text not null default 'open' check (status in ('open', 'investigating', 'confirmed', 'dismissed')),
      -- Why it was closed.
      resolution text check (resolution in ('counterfeit', 'tampered', 'grey_market', 'stolen', 'genuine', 'duplicate',
                                            'spam', 'insufficient_information')),
      assignee_id uuid,
      -- Reports of the same thing from the same network that were folded into this one.
      repetitions integer not null default 0 check (repetitions >= 0),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      closed_at timestamptz,
      check ((status in ('confirmed', 'dismissed')) = (resolution is not null)),
      check ((status in ('confirmed', 'dismissed')) = (closed_at is not null)),
      foreign key (org_id, assignee_id) references users (org_id, id),
      unique (org_id, id)
    );
    create index counterfeit_reports_newest on counterfeit_reports (org_id, id desc);
    create index counterfeit_reports_of_unit on counterfeit_reports (unit_id, created_at) where unit_id is not null;
    create index counterfeit_reports_of_network on counterfeit_reports (network_id, created_at) where network_id is not null;
    -- The same words about the same thing from the same network are one report.
    create unique index counterfeit_reports_once on counterfeit_reports (fingerprint);
    create index counterfeit_reports_contacts on counterfeit_reports (created_at)
      where contact_name is not null or contact_email is not null;

    create table counterfeit_report_notes (
      id uuid primary key,
      org_id uuid not null,
      report_id uuid not null,
      author text not null,
      text text not null check (length(text) between 1 and 5000),
      created_at timestamptz not null,
      foreign key (org_id, report_id) references counterfeit_reports (org_id, id)
    );
    create index counterfeit_report_notes_of_report on counterfeit_report_notes (report_id, id);

    -- An original waits until a worker has made a clean image of it, and is then deleted.
    create table counterfeit_report_photos (
      id uuid primary key,
      report_id uuid not null references counterfeit_reports,
      position smallint not null check (position between 1 and 5),
      state text not null default 'waiting' check (state in ('waiting', 'ready', 'refused')),
      original_key text,
      storage_key text,
      bytes integer,
      width integer,
      height integer,
      problem text,
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      attempts integer not null default 0,
      created_at timestamptz not null,
      check ((state = 'waiting') = (original_key is not null)),
      check ((state = 'ready') = (storage_key is not null)),
      unique (report_id, position)
    );
    create index counterfeit_report_photos_waiting on counterfeit_report_photos (due_at) where state = 'waiting';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table counterfeit_report_photos;
    drop table counterfeit_report_notes;
    drop table counterfeit_reports;
  `);
}
