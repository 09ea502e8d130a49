import type { Knex } from 'knex';

/**
 * Single sign-on by OpenID Connect: the provider of an organization, which of its people is who there, and sign-ins between the
 * browser's return and the worker's answer. `metadata` is what the provider says of itself; null until it was read once.
 * `proven_at` is when somebody first came by it, with this client and secret: `is_required` counts from then on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sign_in_providers (
      org_id        uuid primary key references organizations (id) on delete cascade,
      id            uuid not null unique,
      issuer        text not null check (length(issuer) <= 2048),
      client_id     text not null check (length(client_id) between 1 and 500),
      secret_sealed text not null,
      is_required   boolean not null,
      newcomer_role text check (newcomer_role in ('administrator', 'analyst', 'viewer')),
      metadata      jsonb,
      proven_at     timestamptz,
      problem       text check (problem in ('UNREACHABLE', 'NO_PROVIDER', 'UNSUPPORTED')),
      checked_at    timestamptz,
      due_at        timestamptz not null,
      lease_until   timestamptz,
      revision      integer not null default 0,
      created_at    timestamptz not null,
      updated_at    timestamptz not null
    );
    create index sign_in_providers_due on sign_in_providers (due_at);
    create index organization_domains_confirmed on organization_domains (name) where confirmed_at is not null;

    create table provider_sign_ins (
      digest      bytea primary key check (length(digest) = 32),
      provider_id uuid not null references sign_in_providers (id) on delete cascade,
      status      text not null check (status in ('waiting', 'identified', 'refused')),
      sealed      text,
      user_id     uuid references users on delete cascade,
      reason      text,
      created_at  timestamptz not null,
      expires_at  timestamptz not null,
      lease_until timestamptz,
      check ((status = 'identified') = (user_id is not null)),
      check ((status = 'refused') = (reason is not null)),
      check ((status = 'waiting') = (sealed is not null))
    );
    create index provider_sign_ins_waiting on provider_sign_ins (created_at) where status = 'waiting';
    create index provider_sign_ins_expiry on provider_sign_ins (expires_at);
    create index provider_sign_ins_provider on provider_sign_ins (provider_id);
    create index provider_sign_ins_user on provider_sign_ins (user_id) where user_id is not null;

    alter table users add column provider_subject text check (length(provider_subject) between 1 and 255);
    create unique index users_provider_subject on users (org_id, provider_subject) where provider_subject is not null;
    alter table sessions
      add column by_provider boolean not null default false,
      drop constraint sessions_ended_because_check,
      add constraint sessions_ended_because_check check (ended_because in
        ('signed-out', 'signed-out-everywhere', 'ended-elsewhere', 'password-changed', 'disabled', 'replayed',
         'single-sign-on-changed'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update sessions set ended_because = 'ended-elsewhere' where ended_because = 'single-sign-on-changed';
    alter table sessions
      drop column by_provider,
      drop constraint sessions_ended_because_check,
      add constraint sessions_ended_because_check check (ended_because in
        ('signed-out', 'signed-out-everywhere', 'ended-elsewhere', 'password-changed', 'disabled', 'replayed'));
    alter table users drop column provider_subject;
    drop table provider_sign_ins;
    drop index organization_domains_confirmed;
    drop table sign_in_providers;
  `);
}
