/** The story of counterfeit reports. */
import { cleanPhotos } from '../../../workers/clean-photos/processor.ts';
import { jpegWithPosition } from '../photos.ts';
import type { Goods } from './products.ts';
import { from, type Storyteller } from './storyteller.ts';

export async function tellOfReports({ api, run, client }: Storyteller, { units }: Goods) {
  const token = { token: units[1].token as string };
  const filed = await client.call('reportCode', {
    ids: token,
    body: {
      description: 'The label peels off and the oil is pale',
      purchasedFrom: 'A market stall in Lisbon',
      price: '12 EUR',
      contactEmail: 'maria@example.com',
      contactConsent: true,
    },
  });
  const form = new FormData();
  form.set('description', 'Another one, with a picture');
  form.set('photos', new Blob([new Uint8Array(await jpegWithPosition())], { type: 'image/jpeg' }), 'oil.jpg');
  await client.call('reportCode', { ids: token, body: form, headers: from('192.0.2.7') });
  await client.call('reportWithoutCode', {
    body: { description: 'No code on it at all', brand: 'Oliveira' },
    type: 'application/x-www-form-urlencoded',
  });
  await client.call('reportWithoutCode', { body: { description: 'Sold without a code', brand: 'Oliveira' } });
  await cleanPhotos(api.workerDeps)();
  const reports = await run('listReports', undefined, undefined, { query: { status: 'open' } });
  const withPhoto = (reports.data as any[]).find(({ photoCount }) => photoCount > 0);
  const detail = await run('getReport', withPhoto.id);
  const url = new URL(detail.photos[0].url as string);
  await client.call('downloadReportPhoto', {
    ids: { id: detail.photos[0].id },
    query: Object.fromEntries(url.searchParams),
  });
  const { reportId } = filed.body as { reportId: string };
  const found = await run('createReport', undefined, {
    channel: 'online_listing',
    description: 'Offered at a fifth of the price, with the code of another bottle in the picture',
    code: units[1].token as string,
    purchasedFrom: 'https://market.example/offers/4711',
    country: 'PT',
    foundOn: '2026-05-19',
  });
  const picture = new FormData();
  picture.set(
    'photos',
    new Blob([new Uint8Array(await jpegWithPosition())], { type: 'image/jpeg' }),
    'offer.jpg',
  );
  const shown = await run('addReportPhotos', found.id, picture);
  await run('removeReportPhoto', undefined, undefined, {
    ids: { id: found.id, photoId: shown.photos[0].id },
  });
  await run('changeReport', reportId, { status: 'confirmed', resolution: 'counterfeit' });
  await run('changeReport', found.id, { productUnitId: units[0].id });
  await run('addReportNote', reportId, { text: 'The shop is known to us' });
  await run('exportReports');
  return { reportId, photoId: detail.photos[0].id as string };
}
