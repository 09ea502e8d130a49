import type { Db } from '../db.ts';
import { optionalSerialRanges } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import { unitsBy } from '../units-by.ts';
import type { CaseStatus, ClosedStatus, ClosingReason } from './states.ts';

export interface CaseRow {
  id: string;
  unit_id: string;
  product_id: string;
  batch_id: string;
  status: CaseStatus;
  closing_reason: ClosingReason | null;
  assignee_id: string | null;
  suspicious_scans: number;
  max_score: number;
  signals: string[];
  /** Null, as is the last one, while nobody's scan was suspicious. */
  first_scan_id: string | null;
  last_scan_id: string | null;
  /** By kind of signal; see the migration. */
  evidence_until: Record<string, string>;
  /** Public id of a user or key; null where its first suspicious scan opened it. */
  opened_by: string | null;
  report_id: string | null;
  opened_at: Date;
  updated_at: Date;
  closed_at: Date | null;
}

interface NewSuspicion {
  id: string;
  orgId: string;
  unitId: string;
  productId: string;
  batchId: string;
  scans: number;
  maxScore: number;
  signals: string[];
  firstScanId: string;
  lastScanId: string;
}

/** What a case copies from its unit. */
export interface CasedUnit {
  id: string;
  product_id: string;
  batch_id: string;
}

/** Which case the new suspicious scans of a unit are in. */
export interface GatheredCase {
  id: string;
  unit_id: string;
}

export async function addToOpenCases(
  db: Db,
  suspicions: readonly NewSuspicion[],
  now: Date,
): Promise<GatheredCase[]> {
  const { rows } = await db.query<GatheredCase>({
    name: 'add-to-open-cases',
    text: `insert into risk_cases as c (id, org_id, unit_id, product_id, batch_id, suspicious_scans, max_score, signals,
                  first_scan_id, last_scan_id, evidence_until, opened_at, updated_at)
           select t.id, t.org_id, t.unit_id, t.product_id, t.batch_id, t.scans, t.max_score,
                  array(select jsonb_array_elements_text(t.signals)), t.first_scan_id, t.last_scan_id,
                  (select coalesce(jsonb_object_agg(type, t.last_scan_id), '{}') from jsonb_array_elements_text(t.signals) as type),
                  $11, $11
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::integer[], $7::smallint[],
                         $8::jsonb[], $9::uuid[], $10::uuid[])
               as t (id, org_id, unit_id, product_id, batch_id, scans, max_score, signals, first_scan_id, last_scan_id)
               on conflict (unit_id) where status in ('open', 'investigating') do update
                  set suspicious_scans = c.suspicious_scans + excluded.suspicious_scans,
                      max_score = greatest(c.max_score, excluded.max_score),
                      signals = array(select distinct unnest(c.signals || excluded.signals) order by 1),
                      -- A late scan may be older than those that are counted.
                      first_scan_id = least(c.first_scan_id, excluded.first_scan_id),
                      last_scan_id = greatest(c.last_scan_id, excluded.last_scan_id),
                      evidence_until = (select coalesce(jsonb_object_agg(type, until), '{}')
                                          from (select key as type, max(value) as until
                                                  from (select * from jsonb_each_text(c.evidence_until) union all
                                                        select * from jsonb_each_text(excluded.evidence_until)) as each
                                                 group by key) as newest), updated_at = excluded.updated_at
           returning c.id, c.unit_id`,
    values: [
      suspicions.map((each) => each.id),
      suspicions.map((each) => each.orgId),
      suspicions.map((each) => each.unitId),
      suspicions.map((each) => each.productId),
      suspicions.map((each) => each.batchId),
      suspicions.map((each) => each.scans),
      suspicions.map((each) => each.maxScore),
      suspicions.map((each) => JSON.stringify(each.signals)),
      suspicions.map((each) => each.firstScanId),
      suspicions.map((each) => each.lastScanId),
      now,
    ],
  });
  return rows;
}

/** Counts on in the newest confirmed case of each unit. */
export async function addToConfirmedCases(
  db: Db,
  suspicions: readonly Omit<NewSuspicion, 'id'>[],
  now: Date,
): Promise<GatheredCase[]> {
  const { rows } = await db.query<GatheredCase>({
    name: 'add-to-confirmed-cases',
    text: `update risk_cases c
              set suspicious_scans = c.suspicious_scans + t.scans, max_score = greatest(c.max_score, t.max_score),
                  -- A late scan may be older than those that are counted; a case that a person opened has none.
                  first_scan_id = least(c.first_scan_id, t.first_scan_id),
                  last_scan_id = greatest(c.last_scan_id, t.last_scan_id), updated_at = $6
             from unnest($1::uuid[], $2::integer[], $3::smallint[], $4::uuid[], $5::uuid[])
               as t (unit_id, scans, max_score, first_scan_id, last_scan_id)
            where c.id = (select id from risk_cases where unit_id = t.unit_id and status = 'confirmed'
                           order by id desc limit 1)
           returning c.id, c.unit_id`,
    values: [
      suspicions.map((each) => each.unitId),
      suspicions.map((each) => each.scans),
      suspicions.map((each) => each.maxScore),
      suspicions.map((each) => each.firstScanId),
      suspicions.map((each) => each.lastScanId),
      now,
    ],
  });
  return rows;
}

const COLUMNS = `id, unit_id, product_id, batch_id, status, closing_reason, assignee_id, suspicious_scans, max_score,
            signals, first_scan_id, last_scan_id, evidence_until, opened_by, report_id, opened_at, updated_at, closed_at`;

/** Opens a case that no scan opened. The caller holds the unit's profile, and has seen that none is open. */
export async function insertCase(
  db: Db,
  opened: {
    id: string;
    orgId: string;
    unit: CasedUnit;
    openedBy: string;
    reportId: string | null;
    now: Date;
  },
): Promise<void> {
  const { unit } = opened;
  await db.query(
    `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, suspicious_scans, max_score, signals, opened_by, report_id,
            opened_at, updated_at)
     values ($1, $2, $3, $4, $5, 0, 0, '{}', $6, $7, $8, $8)`,
    [
      opened.id,
      opened.orgId,
      unit.id,
      unit.product_id,
      unit.batch_id,
      opened.openedBy,
      opened.reportId,
      opened.now,
    ],
  );
}

/** The case of a unit that nobody has closed. */
export async function findOpenCase(db: Db, unitId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from risk_cases where unit_id = $1 and status in ('open', 'investigating')`,
    [unitId],
  );
  return rows[0]?.id ?? null;
}

export async function findCase(db: Db, orgId: string, id: string): Promise<CaseRow | null> {
  const { rows } = await db.query<CaseRow>(
    `select ${COLUMNS} from risk_cases where org_id = $1 and id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** One unit has one decision: with one of its confirmed cases all are corrected. @returns the others as they were. */
export async function dismissConfirmed(
  db: Db,
  unitId: string,
  closingReason: ClosingReason | null,
  now: Date,
): Promise<CaseRow[]> {
  const { rows } = await db.query<CaseRow>(
    `with was as (select ${COLUMNS} from risk_cases where unit_id = $1 and status = 'confirmed' for update),
          changed as (update risk_cases c set status = 'dismissed', closing_reason = $2, closed_at = $3, updated_at = $3
                        from was where c.id = was.id)
     select * from was order by id`,
    [unitId, closingReason, now],
  );
  return rows;
}

/** The case of a unit that says "confirmed", if any: its newest. */
export async function findConfirmedCase(db: Db, unitId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from risk_cases where unit_id = $1 and status = 'confirmed' order by id desc limit 1`,
    [unitId],
  );
  return rows[0]?.id ?? null;
}

/** Holds the case until the transaction ends. */
export async function lockCase(db: Db, orgId: string, id: string): Promise<CaseRow | null> {
  const { rows } = await db.query<CaseRow>(
    `select ${COLUMNS} from risk_cases where org_id = $1 and id = $2 for update`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export interface CaseFilter {
  status?: CaseStatus | undefined;
  /** Only those that nobody has closed. */
  undecided?: 'true' | undefined;
  unitId?: string | undefined;
  productId?: string | undefined;
  assigneeId?: string | undefined;
  /** Beginning of the unit's serial. */
  q?: string | undefined;
}

export async function listCases(
  db: Db,
  orgId: string,
  filter: CaseFilter,
  page: PageRequest,
): Promise<Page<CaseRow>> {
  const { rows } = await db.query<CaseRow>(
    `select ${COLUMNS}
       from risk_cases
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::text is null or status = $3)
        and ($4::uuid is null or unit_id = $4)
        and ($5::uuid is null or product_id = $5)
        and ($6::uuid is null or assignee_id = $6)
        and ($8::text is null
             or exists (select from ${unitsBy('org_id = $1 and id = risk_cases.unit_id')} u
                         where u.serial between $8 and $9 or u.serial between $10 and $11))
        and ($12::text is null or status in ('open', 'investigating'))
      order by id desc
      limit $7`,
    [
      orgId,
      page.beforeId,
      filter.status ?? null,
      filter.unitId ?? null,
      filter.productId ?? null,
      filter.assigneeId ?? null,
      page.limit + 1,
      ...optionalSerialRanges(filter.q),
      filter.undecided ?? null,
    ],
  );
  return pageOf(rows, page);
}

export interface CaseState {
  status: CaseStatus;
  closingReason: ClosingReason | null;
  assigneeId: string | null;
  closedAt: Date | null;
  now: Date;
}

export async function setCaseState(db: Db, id: string, state: CaseState): Promise<void> {
  await db.query(
    `update risk_cases set status = $2, closing_reason = $3, assignee_id = $4, closed_at = $5, updated_at = $6
      where id = $1`,
    [id, state.status, state.closingReason, state.assigneeId, state.closedAt, state.now],
  );
}

export interface DecisionRow {
  decision: ClosedStatus;
  closing_reason: ClosingReason;
  /** Public id of a user or key; null where it was not kept. */
  author: string | null;
  at: Date;
}

export interface NewDecision extends DecisionRow {
  id: string;
  orgId: string;
  caseId: string;
  unitId: string;
}

export async function insertDecision(db: Db, made: NewDecision): Promise<void> {
  await db.query(
    `insert into risk_case_decisions (id, org_id, case_id, unit_id, decision, closing_reason, author, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [made.id, made.orgId, made.caseId, made.unitId, made.decision, made.closing_reason, made.author, made.at],
  );
}

/** The newest hundred, in order of time. */
export async function listDecisions(db: Db, caseId: string): Promise<DecisionRow[]> {
  const { rows } = await db.query<DecisionRow>(
    `select decision, closing_reason, author, at from every_case_decision where case_id = $1 order by at desc, id desc limit 100`,
    [caseId],
  );
  return rows.reverse();
}

export interface NoteRow {
  author: string;
  text: string;
  at: Date;
}

export async function insertNote(
  db: Db,
  note: { id: string; caseId: string; author: string; text: string; now: Date },
): Promise<void> {
  await db.query('insert into risk_case_notes (id, case_id, author, text, at) values ($1, $2, $3, $4, $5)', [
    note.id,
    note.caseId,
    note.author,
    note.text,
    note.now,
  ]);
}

/** The newest thousand, in order of time. */
export async function listNotes(db: Db, caseId: string): Promise<NoteRow[]> {
  const { rows } = await db.query<NoteRow>(
    'select author, text, at from risk_case_notes where case_id = $1 order by id desc limit 1000',
    [caseId],
  );
  return rows.reverse();
}
