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

/**
 * In SQL, whether a serial is one of the numbers from `first` to `last`. Between the two in the order of characters are others as well:
 * longer ones, and `A00X5` between `A0095` and `A0104`. All of that length begin with the prefix.
 * @param serial how the statement calls it, and what {@link sequentialEndsOf} gives
 */
export const isNumberedBy = (
  serial: string,
  { prefix, first, last }: Record<'prefix' | 'first' | 'last', string>,
): string =>
  `(${serial} >= ${first} collate "C" and ${serial} <= ${last} collate "C" and length(${serial}) = length(${first})
        and ltrim(substr(${serial}, length(${prefix}) + 1), '0123456789') = '')`;
