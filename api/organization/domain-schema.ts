import { z } from 'zod';
import { challengeName, lapsesAt, shownDomain, type DomainRow } from '../../shared/domains/service.ts';
import { instant } from '../list.ts';

const statuses = ['pending', 'confirmed', 'lapsed'] as const;

/** Of a schema of its own, and of one within the organization's, which may be null and so has no name. */
export const domainFields = {
  name: z.string().meta({ description: 'As the DNS has it', examples: ['example.com'] }),
  displayName: z.string().meta({
    description:
      'As consumers are shown it: in its own letters, unless these look like those of another script',
  }),
  status: z.enum(statuses).meta({ description: 'Whether it counts' }),
  record: z
    .object({
      type: z.literal('TXT'),
      name: z.string().meta({ examples: ['_touchstone-challenge.example.com'] }),
      value: z.string(),
    })
    .meta({ description: 'What whoever keeps the domain’s DNS sets, and leaves there' }),
  confirmedAt: instant.nullable(),
  confirmedBy: z.enum(['dns', 'operator']).nullable().meta({ description: 'On what ground it counts' }),
  lastSeenAt: instant.nullable().meta({ description: 'When the record was last there' }),
  lastCheckedAt: instant.nullable(),
  problem: z.enum(['NO_RECORD', 'OTHER_RECORD', 'DNS_FAILED']).nullable().meta({
    description:
      'Of the last look: there is no such record, there are others only, or the name servers did not answer',
  }),
  lapsesAt: instant.nullable().meta({
    description: 'When a confirmed domain without its record is confirmed no longer',
  }),
  isChecking: z.boolean().meta({ description: 'Whether a look that was asked for is still to come' }),
  createdAt: instant,
};

export const domainSchema = z.object(domainFields).meta({
  id: 'OrganizationDomain',
  description: 'The domain that an organization says is its own, and what is known of that',
});

const statusOf = (row: DomainRow): (typeof statuses)[number] => {
  if (row.confirmed_at !== null) return 'confirmed';
  return row.seen_at === null ? 'pending' : 'lapsed';
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentDomain = (row: DomainRow): z.input<typeof domainSchema> => ({
  name: row.name,
  displayName: shownDomain(row.name),
  status: statusOf(row),
  record: { type: 'TXT', name: challengeName(row.name), value: row.record },
  confirmedAt: iso(row.confirmed_at),
  confirmedBy: row.confirmed_by,
  lastSeenAt: iso(row.seen_at),
  lastCheckedAt: iso(row.checked_at),
  problem: row.problem,
  lapsesAt: iso(lapsesAt(row)),
  isChecking: row.due_at !== null && row.due_at <= row.requested_at,
  createdAt: row.created_at.toISOString(),
});
