/**
 * In SQL, for `join lateral`: units by a key, each found by the index of that key. Where Postgres takes an organization's or a product's
 * units for few, as it does until it has counted them, a plain join reads all of these for each key: hence `offset 0`. Whose unit it is the
 * caller asks outside where the key does not say so.
 * @param key a condition on all columns of an index of `product_units`
 */
export const unitsBy = (key: string): string =>
  `(select id, org_id, product_id, batch_id, serial, code, status from product_units where ${key} offset 0)`;
