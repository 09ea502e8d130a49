import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function is_market_list(markets text[]) returns boolean language sql immutable parallel safe as
      $$ select coalesce(bool_and(market ~ '^[A-Z]{2}$'), true) from unnest(markets) as market $$;

    create table products (
      id uuid primary key,
      org_id uuid not null references organizations,
      name text not null check (length(name) between 1 and 200),
      sku text not null check (length(sku) between 1 and 100),
      gtin text check (gtin ~ '^\\d{14}$'),
      brand text check (length(brand) <= 200),
      description text check (length(description) <= 5000),
      image_url text check (length(image_url) <= 2000),
      markets text[] not null default '{}' check (is_market_list(markets)),
      attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
      archived_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint products_sku unique (org_id, sku),
      unique (org_id, id)
    );
    create index products_newest on products (org_id, id desc);
    create index products_by_gtin on products (gtin) where gtin is not null;

    create table batches (
      id uuid primary key,
      org_id uuid not null,
      product_id uuid not null,
      quantity integer not null check (quantity between 1 and 10000000),
      lot text check (length(lot) between 1 and 20),
      manufactured_on date,
      expires_on date check (expires_on >= manufactured_on),
      markets text[] check (is_market_list(markets)),
      recalled_at timestamptz,
      recall_reason text check (length(recall_reason) <= 1000),
      created_at timestamptz not null default now(),
      foreign key (org_id, product_id) references products (org_id, id),
      unique (org_id, id)
    );
    create index batches_newest on batches (org_id, id desc);
    create index batches_of_product on batches (org_id, product_id, id desc);

    -- Written by COPY, a million at a time. batch_id and product_id carry no foreign key: the check would run once
    -- for each row, and the only writer holds the batch's row lock in the same transaction (ADR 0004).
    create table product_units (
      id uuid not null,
      org_id uuid not null,
      batch_id uuid not null,
      product_id uuid not null,
      ordinal integer not null check (ordinal >= 0),
      serial text not null check (length(serial) between 1 and 20),
      code bytea not null check (length(code) = 10),
      -- Names the key that made the token's tag, so that a code can be printed again after a rotation.
      token_key text not null,
      status text not null check (status in ('minted', 'active', 'suspended', 'voided')),
      activated_at timestamptz,
      recalled_at timestamptz,
      recall_reason text check (length(recall_reason) <= 1000),
      primary key (org_id, id),
      constraint product_units_ordinal unique (batch_id, ordinal),
      constraint product_units_code unique (code),
      constraint product_units_serial unique (product_id, serial)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table product_units;
    drop table batches;
    drop table products;
    drop function is_market_list;
  `);
}
