/**
 * In SQL, for `join lateral`: units by a key, each found by the index of that key. Where Postgres takes an organization's or a product's
 * units for few, as it does until it has counted them, a plain join reads all of these for each key: hence `offset 0`. Whose unit it is the
 * caller asks outside where the key does not say so.
 * @param key a condition on all columns of an index of `product_units`
 */
export const unitsBy = (key: string): string =>
  `(select id, org_id, batch_id, serial, status from product_units where ${key} offset 0)`;

/**
 * In SQL, an organization whose units Postgres takes for as many as another's, whatever it has counted of it: where their serials or
 * codes are named as well, these are looked up, and not looked for among all of an organization that it takes for empty.
 * @param parameter `$1` and so on
 */
export const anyOrganization = (parameter: string): string => `(select ${parameter}::uuid)`;
