import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table organizations
      add column logo_url text check (logo_url ~ '^https{0,1}://' and length(logo_url) <= 2000),
      add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
      add column support text check (length(support) between 1 and 500),
      add column consumer_message text check (length(consumer_message) between 1 and 2000),
      add column time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
      add column scan_retention_days integer not null default 730 check (scan_retention_days between 30 and 3650),
      add column event_retention_days integer not null default 90 check (event_retention_days between 7 and 3650),
      add column security_contact text check (length(security_contact) between 3 and 254),
      add column updated_at timestamptz not null default now();

    alter table users
      add column name text check (length(name) between 1 and 200),
      add column removed_at timestamptz,
      add column totp_sealed text,
      add column totp_confirmed_at timestamptz,
      -- The time step of the last code that was accepted: a code works once.
      add column totp_last_step bigint,
      add constraint users_removed_is_disabled check (removed_at is null or disabled_at is not null);
    create index users_newest on users (org_id, id desc) where removed_at is null;

    create table recovery_codes (
      digest bytea primary key check (length(digest) = 32),
      user_id uuid not null references users on delete cascade
    );
    create index recovery_codes_of_user on recovery_codes (user_id);

    -- A family of refresh tokens: everything that came from one sign-in.
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      ended_because text check (ended_because in
        ('signed-out', 'signed-out-everywhere', 'ended-elsewhere', 'password-changed', 'disabled', 'replayed')),
      ip inet,
      user_agent text,
      check ((ended_at is null) = (ended_because is null))
    );
    create index sessions_of_user on sessions (user_id, id desc);

    -- A chain: each token has at most one successor, which is computed from the token itself and the salt.
    create table refresh_tokens (
      digest bytea primary key check (length(digest) = 32),
      session_id uuid not null references sessions on delete cascade,
      created_at timestamptz not null,
      exchanged_at timestamptz,
      salt bytea,
      successor bytea references refresh_tokens,
      check ((exchanged_at is null) = (salt is null) and (exchanged_at is null) = (successor is null))
    );
    create index refresh_tokens_of_session on refresh_tokens (session_id);

    -- user_id is null for an address that nobody has: the same rows are written for it, so that timing tells nothing.
    create table password_resets (
      digest bytea primary key check (length(digest) = 32),
      user_id uuid references users on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index password_resets_of_user on password_resets (user_id);
    create index password_resets_age on password_resets (expires_at);

    -- What somebody asked for; the organization and its owner come into being when the link in the mail is used.
    create table sign_ups (
      id uuid primary key,
      organization_name text not null check (length(organization_name) between 1 and 200),
      name text check (length(name) between 1 and 200),
      email text not null check (email = lower(email) and length(email) between 3 and 254),
      password_digest text not null,
      token_digest bytea not null unique check (length(token_digest) = 32),
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index sign_ups_age on sign_ups (expires_at);

    create table invitations (
      id uuid primary key,
      org_id uuid not null references organizations,
      email text not null check (email = lower(email) and length(email) between 3 and 254),
      role text not null check (role in ('owner', 'administrator', 'analyst', 'viewer')),
      token_digest bytea not null unique check (length(token_digest) = 32),
      invited_by uuid not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      revoked_at timestamptz,
      check (accepted_at is null or revoked_at is null)
    );
    create index invitations_newest on invitations (org_id, id desc);
    create unique index invitations_open on invitations (org_id, email) where accepted_at is null and revoked_at is null;

    alter table api_keys
      add column created_by uuid,
      add column allowed_cidrs text[] not null default '{}',
      add column last_used_at timestamptz;

    create table contact_messages (
      id uuid primary key,
      name text not null check (length(name) between 1 and 200),
      email text not null check (length(email) between 3 and 254),
      message text not null check (length(message) between 1 and 5000),
      created_at timestamptz not null
    );

    -- The mail outbox. The content is encrypted and thrown away once it is sent: it carries links that let people in.
    create table mails (
      id uuid primary key,
      kind text not null,
      state text not null check (state in ('pending', 'sent', 'failed', 'discarded')),
      sealed text,
      attempts integer not null default 0 check (attempts >= 0),
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      last_error text check (length(last_error) <= 500),
      created_at timestamptz not null,
      settled_at timestamptz,
      check ((state = 'pending') = (sealed is not null)),
      check ((state = 'pending') = (settled_at is null))
    );
    create index mails_due on mails (due_at) where state = 'pending';
    create index mails_settled on mails (settled_at) where state <> 'pending';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table mails;
    drop table contact_messages;
    alter table api_keys drop column created_by, drop column allowed_cidrs, drop column last_used_at;
    drop table invitations;
    drop table sign_ups;
    drop table password_resets;
    drop table refresh_tokens;
    drop table sessions;
    drop table recovery_codes;
    drop index users_newest;
    alter table users
      drop constraint users_removed_is_disabled,
      drop column name, drop column removed_at, drop column totp_sealed, drop column totp_confirmed_at,
      drop column totp_last_step;
    alter table organizations
      drop column logo_url, drop column brand_color, drop column support, drop column consumer_message,
      drop column time_zone, drop column scan_retention_days, drop column event_retention_days,
      drop column security_contact, drop column updated_at;
  `);
}
