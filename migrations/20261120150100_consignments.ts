import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- "recalled" is no status here: it is a row of recalls over the consignment, so that lifting it restores what was.
    create table consignments (
      id uuid primary key,
      org_id uuid not null references organizations,
      status text not null default 'draft'
        check (status in ('draft', 'dispatched', 'received', 'partially_received', 'cancelled')),
      reference text check (length(reference) between 1 and 100),
      sscc text check (sscc ~ '^\\d{18}$'),
      origin jsonb,
      destination jsonb,
      expected_markets text[] not null default '{}' check (is_market_list(expected_markets)),
      document_references jsonb not null default '[]' check (jsonb_typeof(document_references) = 'array'),
      unit_count integer not null default 0 check (unit_count >= 0),
      -- Products with their numbers of units, for people's eyes; written when a list is complete.
      contents jsonb not null default '[]',
      created_at timestamptz not null,
      dispatched_at timestamptz,
      received_at timestamptz,
      received_count integer check (received_count >= 0),
      missing_count integer check (missing_count >= 0),
      damaged_count integer check (damaged_count between 0 and received_count),
      -- What the distributor counted, where that was told; may differ from received_count.
      counted integer check (counted >= 0),
      received_by text check (length(received_by) between 1 and 200),
      receipt_note text check (length(receipt_note) <= 2000),
      received_through text check (received_through in ('link', 'key')),
      -- HMAC of the distributor's link; the link itself is shown once.
      link_digest bytea unique check (length(link_digest) = 32),
      link_expires_at timestamptz,
      check ((link_digest is null) = (link_expires_at is null)),
      check ((status in ('received', 'partially_received')) = (received_at is not null)),
      check ((received_at is null) = (received_count is null) and (received_at is null) = (missing_count is null)),
      check (received_count + missing_count = unit_count),
      check (status <> 'received' or missing_count = 0),
      unique (org_id, id)
    );
    create index consignments_newest on consignments (org_id, id desc);
    -- An SSCC names one logistic unit at a time.
    create unique index consignments_sscc on consignments (org_id, sscc) where status in ('draft', 'dispatched');

    create table consignment_units (
      consignment_id uuid not null,
      unit_id uuid not null,
      org_id uuid not null,
      -- The bulk job that added it; until that is completed the row only holds the unit.
      job_id uuid not null,
      -- A unit is held by at most one consignment. Rows of a closed consignment are let go when the next one asks, so that
      -- closing a million units is one row's update.
      held boolean not null default true,
      condition text check (condition in ('missing', 'damaged')),
      primary key (consignment_id, unit_id),
      foreign key (org_id, consignment_id) references consignments (org_id, id)
    );
    create unique index consignment_units_one_open on consignment_units (unit_id) where held;
    create index consignment_units_of_unit on consignment_units (unit_id, consignment_id desc);
    create index consignment_units_conditions on consignment_units (consignment_id, unit_id) where condition is not null;

    -- What recalls and consignments say of a unit, for verification: the most particular recall in force, and the
    -- consignment that counts (the newest one that left the house, else the draft that it is in). A recall without a start
    -- of its own begins when it is written, whatever the clocks of two processes say.
    create function unit_supply(unit uuid, batch uuid, product uuid)
    returns table (recall_id uuid, recall_scope text, recalled_at timestamptz, recall_reason text, recall_messages jsonb,
                   recall_contact text, expected_markets text[], shipment text)
    language sql stable parallel safe as $$
      select r.id, r.scope, r.starts_at, r.reason, r.messages, r.contact, c.expected_markets, coalesce(c.shipment, 'untracked')
        from (values (1)) as one
        left join lateral (
          select * from recalls
           where lifted_at is null
             and starts_at <= greatest(created_at, now())
             and target_id = any(array[unit, batch, product]
                                 || array(select cu.consignment_id from consignment_units cu where cu.unit_id = unit))
           order by array_position(array['unit', 'batch', 'consignment', 'product'], scope), starts_at, id
           limit 1
        ) r on true
        left join lateral (
          select case when k.status <> 'draft' and cardinality(k.expected_markets) > 0 then k.expected_markets end
                   as expected_markets,
                 case when k.status in ('received', 'partially_received') and cu.condition is distinct from 'missing'
                      then 'shipped' else 'not-shipped' end as shipment
            from consignment_units cu
            join consignments k on k.id = cu.consignment_id
           where cu.unit_id = unit and k.status <> 'cancelled'
           order by k.status = 'draft', k.id desc
           limit 1
        ) c on true
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function unit_supply;
    drop table consignment_units;
    drop table consignments;
  `);
}
