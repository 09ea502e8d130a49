import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_log (
      id uuid primary key,
      org_id uuid not null references organizations,
      at timestamptz not null,
      actor_kind text not null check (actor_kind in ('user', 'key', 'operator')),
      -- The actor's id as the API shows it; null for the operator.
      actor_id text,
      actor_name text,
      action text not null check (length(action) between 1 and 100),
      -- The resource's id as the API shows it.
      resource text,
      ip inet,
      user_agent text,
      request_id text,
      -- Changed fields only, without secrets.
      before jsonb,
      after jsonb,
      check ((actor_kind = 'operator') = (actor_id is null))
    );
    create index audit_log_newest on audit_log (org_id, id desc);
    create index audit_log_of_resource on audit_log (org_id, resource, id desc);
    create index audit_log_of_actor on audit_log (org_id, actor_id, id desc);

    -- A trigger and not a privilege: small installations run everything with the role that owns the tables.
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_log_is_append_only before update or delete on audit_log
      for each row execute function refuse_audit_change();
    create trigger audit_log_is_not_emptied before truncate on audit_log
      for each statement execute function refuse_audit_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_log;
    drop function refuse_audit_change();
  `);
}
