/** What consumers report and what the analysts make of it. */
import { authorOf } from '../shared/actor.ts';
import { parseToken } from '../shared/units/token.ts';
import { addNote, changeReport, fileReport } from '../shared/counterfeit-reports/service.ts';
import { photoFolder, type OriginalPhoto } from '../shared/counterfeit-reports/photos.ts';
import { encodeId, newUuid } from '../shared/ids.ts';
import { networkId } from '../shared/places/addresses.ts';
import { changeCase, listCases, type CaseChange } from '../shared/risk-cases/service.ts';
import { adoptFiles, announceFiles } from '../shared/storage/intake.ts';
import { cleanPhotos } from '../workers/clean-photos/processor.ts';
import type { Sample, Staff } from './deps.ts';
import type { SampleUnit } from './goods.ts';
import { drawPhoto } from './photo.ts';
import { inTransaction, type Appointment } from './scanning.ts';
import { DAY, HOUR } from './time.ts';

interface Complaint {
  daysAgo: number;
  /** Null: no code was scanned. */
  unit: SampleUnit | null;
  description: string;
  purchasedFrom: string;
  price: string;
  language: string;
  /** Slant of the label in the photo. */
  photo?: number;
  contact?: { name: string; email: string };
}

async function file(sample: Sample, complaint: Complaint): Promise<string> {
  const { deps, networkKey } = sample;
  const id = newUuid();
  const prefix = photoFolder(id);
  const photos: OriginalPhoto[] = [];
  if (complaint.photo !== undefined) {
    await announceFiles(deps.db, prefix, deps.clock.now());
    const key = `${prefix}original-1`;
    const { sha256 } = await deps.storage.put(key, [await drawPhoto(complaint.photo)]);
    photos.push({ key, sha256 });
  }
  const { unit } = complaint;
  await inTransaction(sample, async (uow) => {
    await fileReport({ ...deps, inboxOrgId: sample.orgId }, uow, {
      site: null,
      id,
      code:
        unit === null ? null : { text: unit.token, bytes: parseToken(deps.config.TOKEN_KEYS, unit.token) },
      brand: unit === null ? 'Maison Aurelle' : null,
      description: complaint.description,
      purchasedFrom: complaint.purchasedFrom,
      price: complaint.price,
      contactName: complaint.contact?.name ?? null,
      contactEmail: complaint.contact?.email ?? null,
      language: complaint.language,
      networkId: networkId(`2001:db8:f${complaint.daysAgo.toString(16)}::1`, networkKey)!,
      photos,
    });
    if (photos.length > 0) await adoptFiles(uow.db, prefix);
  });
  if (photos.length > 0) await cleanPhotos(deps)();
  return id;
}

/** @param copied units whose code is on fakes. */
export function complaints(sample: Sample, staff: Staff, copied: readonly SampleUnit[]): Appointment[] {
  const all: Complaint[] = [
    {
      daysAgo: 11,
      unit: copied[0]!,
      description: 'The smell is gone after ten minutes and the label says “Parfume”. The box had no seal.',
      purchasedFrom: 'a market stall in Istanbul',
      price: '12 EUR',
      language: 'en',
      photo: 0.16,
      contact: { name: 'Lena', email: 'lena@customer.example' },
    },
    {
      daysAgo: 6,
      unit: copied[1]!,
      description: 'La textura es líquida y el código ya había sido escaneado muchas veces.',
      purchasedFrom: 'una tienda en línea',
      price: '19 USD',
      language: 'es',
    },
    {
      daysAgo: 2,
      unit: null,
      description: 'Someone sells your serum for a fifth of the price on the beach, without any code.',
      purchasedFrom: 'beach vendor, Rio de Janeiro',
      price: '25 BRL',
      language: 'en',
    },
    {
      daysAgo: 1,
      unit: copied[0]!,
      description: 'Meine Flasche läuft aus und der Aufdruck ist verschmiert.',
      purchasedFrom: 'Kleinanzeigen',
      price: '30 EUR',
      language: 'de',
      photo: -0.1,
    },
  ];
  return all.map((complaint, index) => ({
    at: sample.end - complaint.daysAgo * DAY + 3 * HOUR,
    async run() {
      const id = await file(sample, complaint);
      if (index === 0) await work(sample, staff, id);
    },
  }));
}

/** The first report is taken up. */
async function work(sample: Sample, { analyst }: Staff, id: string): Promise<void> {
  const { deps, time, orgId } = sample;
  const now = deps.clock.now().getTime();
  await time.at(now + 5 * HOUR, () =>
    inTransaction(sample, async ({ db }) => {
      const taken = { status: 'investigating', assigneeId: analyst.userId } as const;
      await changeReport(deps, db, orgId, id, taken, authorOf(analyst));
      await addNote(deps, db, analyst, id, 'The label has a misprint that we know from the fakes of spring.');
      await sample.audit(db, analyst, 'changeReport', encodeId('rep', id), { status: 'investigating' });
    }),
  );
}

/** What the analyst decides about the cases of some units; the others stay open. */
export function decisions(
  sample: Sample,
  staff: Staff,
  copied: readonly SampleUnit[],
  leapt: SampleUnit,
): Appointment[] {
  const { analyst } = staff;
  const decide = (daysAgo: number, unit: SampleUnit, change: CaseChange): Appointment => ({
    at: sample.end - daysAgo * DAY,
    async run() {
      const { deps, orgId } = sample;
      const { rows } = await listCases(deps.db, orgId, { unitId: unit.id }, { limit: 1, beforeId: null });
      if (rows[0] === undefined) return;
      const caseId = rows[0].id;
      await inTransaction(sample, async ({ db }) => {
        await changeCase(deps, db, orgId, caseId, change, encodeId('user', analyst.userId));
        await sample.audit(db, analyst, 'changeRiskCase', encodeId('case', caseId), {
          status: change.status,
          closingReason: change.closingReason ?? null,
        });
      });
    },
  });
  return [
    decide(10, copied[0]!, {
      status: 'investigating',
      assigneeId: analyst.userId,
      note: 'Scans from four countries within days; test purchase ordered from the seller in Istanbul.',
    }),
    decide(3, copied[2]!, {
      status: 'confirmed',
      closingReason: 'copied_code',
      note: 'The test purchase is a fake with exactly this code.',
    }),
    decide(2, leapt, {
      status: 'dismissed',
      closingReason: 'wrong_position',
      note: 'The customer was on a company network that leaves in Asia.',
    }),
  ];
}
