/** Consignments on their way to distributors, and a recall. */
import { addUnits, createConsignment, dispatchConsignment } from '../shared/consignments/service.ts';
import { receiveConsignment, type Receipt } from '../shared/consignments/receive.ts';
import { withTransaction } from '../shared/db.ts';
import { encodeId } from '../shared/ids.ts';
import { liftRecall, startRecall } from '../shared/recalls/service.ts';
import { runBulkJobs } from '../workers/run-bulk-jobs/processor.ts';
import { RECALLED_LOT } from './catalogue.ts';
import type { Sample, Staff } from './deps.ts';
import type { Goods } from './goods.ts';
import type { Appointment } from './scanning.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

interface Shipment {
  lot: string;
  reference: string;
  to: { name: string; country: string };
  dispatchedDaysAgo: number | null;
  /** Days under way; null: not confirmed yet. */
  days: number | null;
  missing?: number;
  damaged?: number;
}

const SHIPMENTS: readonly Shipment[] = [
  {
    lot: 'VC2609',
    reference: 'PO-2201',
    to: { name: 'Parfümerie Nord', country: 'DE' },
    dispatchedDaysAgo: 33,
    days: 2,
  },
  {
    lot: 'YZ2609',
    reference: 'PO-2204',
    to: { name: 'Kanto Beauty KK', country: 'JP' },
    dispatchedDaysAgo: 33,
    days: 3,
  },
  {
    lot: 'YZ2610',
    reference: 'PO-2207',
    to: { name: 'Kanto Beauty KK', country: 'JP' },
    dispatchedDaysAgo: 31,
    days: 2,
  },
  {
    lot: 'BO2609',
    reference: 'PO-2209',
    to: { name: 'Thames Grooming Ltd', country: 'GB' },
    dispatchedDaysAgo: 32,
    days: 3,
    missing: 6,
    damaged: 3,
  },
  {
    lot: 'HB2611',
    reference: 'PO-2231',
    to: { name: 'Great Lakes Supply', country: 'US' },
    dispatchedDaysAgo: 3,
    days: null,
  },
];

/** A lot that left three weeks ago and that nobody has confirmed. */
const OVERDUE = { reference: 'PO-2212', to: { name: 'Andes Cosmética', country: 'CL' } };

const at = (sample: Sample, time: number, action: string, staff: Staff) => ({
  time,
  audit: (db: Parameters<Sample['audit']>[0], id: string, after: Record<string, unknown>) =>
    sample.audit(db, staff.administrator, action, encodeId('cons', id), after),
});

async function send(
  sample: Sample,
  staff: Staff,
  shipment: Pick<Shipment, 'reference' | 'to'>,
  source:
    | { kind: 'batch'; batchId: string }
    | { kind: 'serials'; productId: string; from: string; to: string },
  dispatchedAt: number | null,
  createdAt: number,
): Promise<string> {
  const { deps, time, orgId, consignmentDeps } = sample;
  const creating = at(sample, createdAt, 'createConsignment', staff);
  const id = await time.at(createdAt, () =>
    withTransaction(deps.db, async ({ db }) => {
      const row = await createConsignment(deps, db, orgId, {
        reference: shipment.reference,
        sscc: null,
        origin: {
          name: 'Maison Aurelle, Grasse',
          address: '12 route de Cannes, 06130 Grasse',
          country: 'FR',
        },
        destination: { ...shipment.to, address: null },
        expectedMarkets: [],
        references: [{ type: 'purchase order', value: shipment.reference }],
      });
      await creating.audit(db, row.id, { reference: shipment.reference });
      return row.id;
    }),
  );
  const job = await time.at(createdAt + MINUTE, () =>
    withTransaction(deps.db, (uow) => addUnits(consignmentDeps, uow, orgId, id, source)),
  );
  await time.at(createdAt + 2 * MINUTE, () => runBulkJobs(deps)({ jobId: job.id }));
  if (dispatchedAt !== null) {
    const sending = at(sample, dispatchedAt, 'dispatchConsignment', staff);
    await time.at(dispatchedAt, () =>
      withTransaction(deps.db, async (uow) => {
        await dispatchConsignment(consignmentDeps, uow, orgId, id, { linkDays: 60, activateUnits: false });
        await sending.audit(uow.db, id, { status: 'dispatched' });
      }),
    );
  }
  return id;
}

/** Everything that left before the weeks shown, and a draft. */
export async function shipGoods(sample: Sample, staff: Staff, goods: readonly Goods[]): Promise<void> {
  const { deps, time, orgId, end, consignmentDeps } = sample;
  for (const shipment of SHIPMENTS) {
    const lot = goods.find(({ batch }) => batch.lot === shipment.lot)!;
    const dispatchedAt = end - shipment.dispatchedDaysAgo! * DAY + 14 * HOUR;
    const source = { kind: 'batch', batchId: lot.batchId } as const;
    const id = await send(sample, staff, shipment, source, dispatchedAt, dispatchedAt - 3 * HOUR);
    if (shipment.days === null) continue;
    const serials = lot.units.slice(-20).map(({ serial }) => serial);
    const receipt: Receipt = {
      counted: null,
      missing: serials.slice(0, shipment.missing ?? 0),
      damaged: serials.slice(10, 10 + (shipment.damaged ?? 0)),
      name: 'Goods in',
      note: shipment.missing ? 'One carton was open; see photos by mail.' : null,
    };
    await time.at(dispatchedAt + shipment.days * DAY, () =>
      withTransaction(deps.db, (uow) => receiveConsignment(consignmentDeps, uow, orgId, id, receipt, 'link')),
    );
  }
  const sun = goods.find(({ batch }) => batch.lot === RECALLED_LOT)!;
  const tail = { from: sun.units.at(-40)?.serial ?? sun.units[0]!.serial, to: sun.units.at(-1)!.serial };
  const range = { kind: 'serials', productId: sun.productId, ...tail } as const;
  await send(sample, staff, OVERDUE, range, end - 21 * DAY, end - 21 * DAY - HOUR);
  const cream = goods.find(({ batch }) => batch.lot === 'BR2610')!;
  const draft = { reference: 'PO-2240', to: { name: 'Seoul Select', country: 'KR' } };
  const head = {
    from: cream.units.at(-25)?.serial ?? cream.units[0]!.serial,
    to: cream.units.at(-1)!.serial,
  };
  await send(
    sample,
    staff,
    draft,
    { kind: 'serials', productId: cream.productId, ...head },
    null,
    end - 5 * HOUR,
  );
}

/** Units that stay in a warehouse, or are not known to have left it: nobody outside has them. */
export async function unshipped(sample: Sample, goods: readonly Goods[]): Promise<Set<string>> {
  const inside = new Set<string>();
  for (const { batch, units } of goods) {
    if (batch.lot === 'BO2609') for (const unit of units.slice(-20)) inside.add(unit.id);
    if (batch.lot === RECALLED_LOT) for (const unit of units.slice(-40)) inside.add(unit.id);
    if (batch.lot === 'BR2610') for (const unit of units.slice(-25)) inside.add(unit.id);
  }
  return inside;
}

/** A recall in force since a few days. */
export async function recallLot(sample: Sample, staff: Staff, goods: readonly Goods[]): Promise<void> {
  const { deps, time, orgId, end } = sample;
  const sun = goods.find(({ batch }) => batch.lot === RECALLED_LOT)!;
  await time.at(end - 4 * DAY, () =>
    withTransaction(deps.db, async (uow) => {
      const target = { scope: 'batch', id: sun.batchId } as const;
      const { recall } = await startRecall(deps, uow, orgId, target, {
        reason: 'The filter is weaker than declared in part of the lot',
        messages: {
          en: 'Please do not use this product any more and return it where you bought it.',
          pt: 'Por favor, não use mais este produto e devolva-o onde o comprou.',
          es: 'Por favor, deje de usar este producto y devuélvalo donde lo compró.',
        },
        contact: 'care@demo.example',
      });
      await sample.audit(uow.db, staff.owner, 'createRecall', encodeId('rcl', recall.id), {
        lot: RECALLED_LOT,
      });
    }),
  );
}

/** A recall of one unit, which is lifted a day later. */
export function recallInError(sample: Sample, staff: Staff, goods: readonly Goods[]): Appointment[] {
  const { deps, orgId, end } = sample;
  const oil = goods.find(({ batch }) => batch.lot === 'RS2610')!;
  const unit = { scope: 'unit', id: oil.units[0]!.id } as const;
  const text = { reason: 'Mixed up in the warehouse', messages: {}, contact: null };
  let recallId = '';
  return [
    {
      at: end - 15 * DAY,
      run: () =>
        withTransaction(deps.db, async (uow) => {
          const { recall } = await startRecall(deps, uow, orgId, unit, text);
          recallId = recall.id;
          await sample.audit(uow.db, staff.owner, 'createRecall', encodeId('rcl', recallId), {
            reason: text.reason,
          });
        }),
    },
    {
      at: end - 14 * DAY,
      run: () =>
        withTransaction(deps.db, async ({ db }) => {
          await liftRecall(deps, db, orgId, recallId);
          await sample.audit(db, staff.owner, 'liftRecall', encodeId('rcl', recallId), { status: 'lifted' });
        }),
    },
  ];
}
