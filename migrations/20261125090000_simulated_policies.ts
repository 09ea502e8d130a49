import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What a simulation takes over from its organization: the latter's own policy and, unless it is of one product, the products'.
    create function policies_to_simulate(org uuid, product uuid) returns jsonb language sql stable as
      $$ select jsonb_build_object(
                  'organization', jsonb_agg(policy) filter (where product_id is null) -> 0,
                  'products', coalesce(jsonb_object_agg(product_id, policy) filter (where product_id is not null), '{}'))
           from risk_policies
          where org_id = org and (product_id is null or product is null) $$;

    -- Null: started by an earlier release; whoever goes on with it takes them over then.
    alter table risk_simulations add column policies jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table risk_simulations drop column policies;
    drop function policies_to_simulate(uuid, uuid);
  `);
}
