/**
 * In SQL, how many units a batch has, by what its jobs' parts tell: counting the units themselves would read millions.
 * @param batch how the statement calls the row of `batches`
 */
export const mintedOf = (batch: string): string =>
  `(select coalesce(sum(c.minted), 0) from barcode_jobs m join barcode_job_chunks c on c.job_id = m.id
     where m.batch_id = ${batch}.id)`;
