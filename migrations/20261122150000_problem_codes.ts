import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What is wrong with a line, to branch on; null beside a problem that a worker of an earlier version has written.
    alter table bulk_job_items add column problem_code text;

    -- What was refused before there were codes gets its own, so that it stays in the reader's language.
    update bulk_jobs
       set problems = (
         select jsonb_agg(problem || coded order by place)
           from jsonb_array_elements(problems) with ordinality as listed (problem, place)
          cross join lateral (select problem->>'message' as said) as message
          cross join lateral (
            select case
              when said ~ '^cannot go from "' then jsonb_build_object('code', 'UNIT_STATE', 'params', jsonb_build_object(
                'from', substring(said from '^cannot go from "([^"]*)"'), 'to', substring(said from '" to "([^"]*)"$')))
              when said ~ '^is in the open consignment ' then jsonb_build_object(
                'code', 'UNIT_CONSIGNED',
                'params', jsonb_build_object('consignmentId', substring(said from '^is in the open consignment (.*)$')))
              when said = 'is voided' then '{"code": "UNIT_VOIDED"}'
              when said = 'no such unit' then '{"code": "NO_SUCH_UNIT"}'
              when said = 'is not an id of the form unit_…' then '{"code": "NOT_A_UNIT_ID"}'
              when said = 'is not a serial of 1 to 20 printable characters' then '{"code": "NOT_A_SERIAL"}'
              when said = 'is not a code of this service' then '{"code": "NOT_A_CODE"}'
              when said ~ '^has no "' then '{"code": "REQUIRED"}'
              else '{"code": "INVALID"}'
            end as coded
          ) as known
       )
     where problems <> '[]';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update bulk_jobs
       set problems = (
         select jsonb_agg(problem - 'code' - 'params' order by place)
           from jsonb_array_elements(problems) with ordinality as listed (problem, place)
       )
     where problems <> '[]';
    alter table bulk_job_items drop column problem_code;
  `);
}
