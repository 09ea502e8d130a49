import type { Knex } from 'knex';

// What recalls and consignments say of a unit, as in 20261122170002_shipped_from_dispatch but for how its consignments are found.
const unitSupply = (consignment: string) => `
    create or replace function unit_supply(unit uuid, batch uuid, product uuid)
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
                 case when k.status <> 'draft' and cu.condition is distinct from 'missing' then 'shipped' else 'not-shipped' end
                   as shipment
            from consignment_units cu
            ${consignment}
           where cu.unit_id = unit and k.status <> 'cancelled'
           order by k.status = 'draft', k.id desc
           limit 1
        ) c on true
    $$`;

export async function up(knex: Knex): Promise<void> {
  // One by one. As a join, few consignments were hashed or remembered anew for each unit of a batch: half of the time that it
  // took to look up two hundred units.
  await knex.raw(
    unitSupply('cross join lateral (select * from consignments where id = cu.consignment_id limit 1) k'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(unitSupply('join consignments k on k.id = cu.consignment_id'));
}
