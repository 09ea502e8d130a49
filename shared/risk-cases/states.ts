/** The life of a case, and the coded reasons for which it ends. */
export const CASE_STATUSES = ['open', 'investigating', 'confirmed', 'dismissed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
export const CLOSED_STATUSES = ['confirmed', 'dismissed'] as const;
export type ClosedStatus = (typeof CLOSED_STATUSES)[number];

/** Each reason belongs to one outcome, so that the outcomes can be counted by reason and a rule be judged by them. */
export const CLOSING_REASONS = {
  confirmed: ['copied_code', 'counterfeit_seen', 'stolen_code', 'other_abuse'],
  dismissed: [
    'shop_display',
    'owner_scans',
    'resold',
    'wrong_position',
    'internal_scans',
    'mistaken_report',
    'other_harmless',
  ],
} as const satisfies Record<ClosedStatus, readonly string[]>;

export type ClosingReason = (typeof CLOSING_REASONS)[ClosedStatus][number];

export const ALL_CLOSING_REASONS = [...CLOSING_REASONS.confirmed, ...CLOSING_REASONS.dismissed] as const;

/** A decision can be corrected to the other one; a closed case is not opened again: new evidence opens the next. */
const REACHABLE: Record<CaseStatus, readonly CaseStatus[]> = {
  open: ['investigating', 'confirmed', 'dismissed'],
  investigating: ['open', 'confirmed', 'dismissed'],
  confirmed: ['dismissed'],
  dismissed: ['confirmed'],
};

export const isClosed = (status: CaseStatus): status is ClosedStatus =>
  status === 'confirmed' || status === 'dismissed';

export const canMove = (from: CaseStatus, to: CaseStatus): boolean =>
  from === to || REACHABLE[from].includes(to);
