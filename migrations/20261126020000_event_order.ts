import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How far what waits for an endpoint that became FIFO is due in the order of its events again; null: all of it.
    alter table webhook_endpoints add column ordered_to_due_at timestamptz, add column ordered_to_event_id uuid,
      add check ((ordered_to_due_at is null) = (ordered_to_event_id is null));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What is not in order yet is brought into it at once, as it was before.
    update webhook_dispatches d set due_at = e.created_at
      from webhook_endpoints p, events e
     where p.ordered_to_due_at is not null and p.fifo and d.endpoint_id = p.id and d.state = 'pending'
       and e.id = d.event_id and d.due_at <> e.created_at;
    alter table webhook_endpoints drop column ordered_to_due_at, drop column ordered_to_event_id;
  `);
}
