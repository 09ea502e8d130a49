import type { Knex } from 'knex';

/** The order in which mail is sent: on a Monday morning, those who wait for a link to sign in with do not stand behind everybody's summary. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index mails_in_order on mails ((kind = 'summary'), due_at, id) where state = 'pending'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index mails_in_order');
}
