import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table organizations (
      id uuid primary key,
      name text not null check (length(name) between 1 and 200),
      created_at timestamptz not null default now()
    );

    create table users (
      id uuid primary key,
      org_id uuid not null references organizations,
      email text not null unique check (email = lower(email) and length(email) between 3 and 254 and email like '%_@_%'),
      password_digest text not null,
      role text not null check (role in ('owner', 'administrator', 'analyst', 'viewer')),
      disabled_at timestamptz,
      created_at timestamptz not null default now(),
      unique (org_id, id)
    );

    create table api_keys (
      id uuid primary key,
      org_id uuid not null references organizations,
      name text not null check (length(name) between 1 and 200),
      scopes text[] not null check (cardinality(scopes) > 0),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      unique (org_id, id)
    );
    create index api_keys_newest on api_keys (org_id, id desc);

    -- A key has one current secret and, during a rotation's grace period, older ones that still work.
    create table api_key_secrets (
      digest bytea primary key check (length(digest) = 32),
      key_id uuid not null references api_keys on delete cascade,
      last_four text not null check (length(last_four) = 4),
      created_at timestamptz not null default now(),
      expires_at timestamptz
    );
    create index api_key_secrets_of_key on api_key_secrets (key_id);

    create table idempotency_keys (
      org_id uuid not null references organizations,
      key text not null check (length(key) between 1 and 255),
      request_digest bytea not null check (length(request_digest) = 32),
      status smallint not null,
      headers jsonb not null,
      -- Encrypted (AES-256-GCM): a response may carry a secret that is shown once.
      sealed_body text,
      created_at timestamptz not null default now(),
      primary key (org_id, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table idempotency_keys;
    drop table api_key_secrets;
    drop table api_keys;
    drop table users;
    drop table organizations;
  `);
}
