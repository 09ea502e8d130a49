/** What the organization's own people come across. */
import { authorOf, type UserActor } from '../shared/actor.ts';
import { fileOwnReport, type OwnReport } from '../shared/counterfeit-reports/own-report.ts';
import { addPhotos, photoFolder } from '../shared/counterfeit-reports/photos.ts';
import { encodeId, newUuid } from '../shared/ids.ts';
import { announceFiles } from '../shared/storage/intake.ts';
import { cleanPhotos } from '../workers/clean-photos/processor.ts';
import type { Sample, Staff } from './deps.ts';
import type { SampleUnit } from './goods.ts';
import { drawPhoto } from './photo.ts';
import { inTransaction, type Appointment } from './scanning.ts';
import { DAY, HOUR } from './time.ts';

const NOTHING = {
  code: null,
  unitId: null,
  productId: null,
  brand: null,
  country: null,
  foundOn: null,
  contactName: null,
  contactEmail: null,
  assigneeId: null,
  resolution: null,
};

type Find = Partial<OwnReport> & Pick<OwnReport, 'channel' | 'description' | 'purchasedFrom' | 'price'>;

/** @param slant of the label in the photo; null for none */
async function file(sample: Sample, actor: UserActor, find: Find, slant: number | null): Promise<void> {
  const { deps } = sample;
  const ownDeps = { clock: deps.clock, tokenKeys: deps.config.TOKEN_KEYS };
  const folder = photoFolder(newUuid());
  const key = `${folder}original-1`;
  if (slant !== null) await announceFiles(deps.db, folder, deps.clock.now());
  const originals =
    slant === null ? [] : [{ key, sha256: (await deps.storage.put(key, [await drawPhoto(slant)])).sha256 }];
  await inTransaction(sample, async (uow) => {
    const { report } = await fileOwnReport(ownDeps, uow.db, actor, { ...NOTHING, ...find });
    await addPhotos(deps, uow, report.id, { folder, originals }, authorOf(actor));
    await sample.audit(uow.db, actor, 'createReport', encodeId('rep', report.id), { channel: find.channel });
  });
  if (slant !== null) await cleanPhotos(deps)();
}

export function finds(sample: Sample, staff: Staff, copied: readonly SampleUnit[]): Appointment[] {
  const dayBefore = (days: number) => new Date(sample.end - days * DAY).toISOString().slice(0, 10);
  return [
    {
      at: sample.end - 3 * DAY - 4 * HOUR,
      run: () =>
        file(
          sample,
          staff.analyst,
          {
            channel: 'test_purchase',
            code: copied[2]!.token,
            description:
              'Bought from the seller that the scans point to. The glass is thinner, the cap does not close, and the code is that of a piece that we sold long before.',
            purchasedFrom: 'https://bazaar.example/offers/88213',
            price: '14 EUR',
            country: 'TR',
            foundOn: dayBefore(5),
            resolution: 'counterfeit',
          },
          0.12,
        ),
    },
    {
      at: sample.end - 20 * HOUR,
      run: () =>
        file(
          sample,
          staff.administrator,
          {
            channel: 'online_listing',
            productId: copied[0]!.goods.productId,
            description:
              'Sixty pieces for a third of the price. The pictures show boxes without a seal and hide the codes.',
            purchasedFrom: 'https://market.example/shops/lucky-scents',
            price: '21 USD',
            foundOn: dayBefore(1),
            assigneeId: staff.analyst.userId,
          },
          null,
        ),
    },
  ];
}
