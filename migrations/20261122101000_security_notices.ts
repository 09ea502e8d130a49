import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Somebody who did not sign in, such as a guesser of passwords.
    alter table audit_log
      drop constraint audit_log_actor_kind_check,
      drop constraint audit_log_check,
      add constraint audit_log_actor_kind_check check (actor_kind in ('user', 'key', 'operator', 'anonymous')),
      add constraint audit_log_check check ((actor_kind in ('operator', 'anonymous')) = (actor_id is null));

    -- Entries of the audit log that a security contact is to be told of, at the address that held when it happened. Without a
    -- foreign key: nothing is ever removed from the log.
    create table security_notices (
      audit_id uuid not null,
      address text not null check (length(address) between 3 and 254),
      primary key (audit_id, address)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table security_notices;
    -- The log is append-only: entries about strangers stay, so the older rules hold for new rows alone.
    alter table audit_log
      drop constraint audit_log_actor_kind_check,
      drop constraint audit_log_check,
      add constraint audit_log_actor_kind_check check (actor_kind in ('user', 'key', 'operator')) not valid,
      add constraint audit_log_check check ((actor_kind = 'operator') = (actor_id is null)) not valid;
  `);
}
