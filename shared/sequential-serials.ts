/**
 * In SQL, for a lateral join, of a barcode job with sequential serials their `prefix`, `first` and `last`, which are all as
 * long: they are in the order of their characters. Nulls for a job with others.
 * @param serials how the statement calls the job's choice of serials
 * @param total and the number of its units
 */
export const sequentialEndsOf = (serials: string, total: string): string =>
  `(select n.prefix, n.prefix || lpad(n.number::text, n.digits, '0') as first,
           n.prefix || lpad((n.number + ${total} - 1)::text, n.digits, '0') as last
      from (select ${serials} ->> 'prefix' as prefix, (${serials} ->> 'first')::bigint as number,
                   (${serials} ->> 'digits')::integer as digits) as n)`;
