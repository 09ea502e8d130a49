/**
 * SQL of the sum of two jsonb objects that have numbers of units by country. Not a function of the database: the body of one in SQL is planned
 * anew with every statement that calls it.
 */
export const addedCounts = (stored: string, added: string): string =>
  `case when ${added} = '{}' then ${stored} else (
     select jsonb_object_agg(country, units)
       from (select country, sum(units::integer) as units
               from (select * from jsonb_each_text(${stored})
                     union all
                     select * from jsonb_each_text(${added})) as every (country, units)
              group by country) as summed) end`;
