/**
 * `org_id = $1`, as a value that Postgres does not look up in what it has counted: of an organization that it takes for empty, a new one
 * beside large ones, it reads everything to find a few or to put them in order. For statements that have a narrower index, or the order of one.
 */
export const OF_ORGANIZATION = 'org_id = (select $1::uuid)';
