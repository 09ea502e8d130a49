/** Where a report comes from, where it stands, and why it is closed. */
import type { Resolution, ReportStatus } from './repository.ts';

export const REPORT_STATUSES = ['open', 'investigating', 'confirmed', 'dismissed'] as const;

/** Why a report is closed, by the status that it closes with. */
export const RESOLUTIONS = {
  confirmed: ['counterfeit', 'tampered', 'grey_market', 'stolen'],
  dismissed: ['genuine', 'duplicate', 'spam', 'insufficient_information'],
} as const;
export const ALL_RESOLUTIONS = [...RESOLUTIONS.confirmed, ...RESOLUTIONS.dismissed] as const;

/** How the organization's own people came by what they report. */
export const OWN_CHANNELS = [
  'inspection',
  'test_purchase',
  'online_listing',
  'customer_service',
  'authority',
  'partner',
] as const;
export type OwnChannel = (typeof OWN_CHANNELS)[number];
/** `consumer`: by the form of a code's page, or the one without a code. */
export const CHANNELS = ['consumer', ...OWN_CHANNELS] as const;
export type Channel = (typeof CHANNELS)[number];

/** @returns the status that a report with this resolution has */
export const statusOf = (resolution: Resolution): Extract<ReportStatus, 'confirmed' | 'dismissed'> =>
  (RESOLUTIONS.confirmed as readonly Resolution[]).includes(resolution) ? 'confirmed' : 'dismissed';
