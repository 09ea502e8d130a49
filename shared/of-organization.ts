/**
 * `org_id = $1`, as a condition that no index answers: whatever Postgres has counted of an organization, it is not read as a whole to find
 * a few. A new one beside large ones is taken for empty, and a large one beside many, where it is not named, for an average one. For
 * statements that have a narrower index.
 */
export const OF_ORGANIZATION = '(org_id = $1::uuid) is true';
