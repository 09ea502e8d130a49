import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts, imagesOf } from '../../support/artifacts.ts';
import { readSymbol } from '../../support/read-symbol.ts';

describe('where PUBLIC_URL is in capitals, a Digital Link', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi({ env: { PUBLIC_URL: 'HTTPS://VERIFY.EXAMPLE.COM' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const look = { symbology: 'gs1-digital-link', scale: 3 };
  const textOf = async (png: Uint8Array) => (await readSymbol(png))[0]!.text;
  const printed = (serial: string) => `HTTPS://VERIFY.EXAMPLE.COM/01/04012345123456/21/${serial}`;

  it('has them in the symbol, which is smaller so: in a job, a unit’s image and a preview', async () => {
    const product = await org.createProduct({ gtin: '04012345123456' });
    const batch = await org.createBatch({ productId: product.id, quantity: 1 });
    const preview = await org
      .post('/barcodes/preview', { ...look, productId: product.id, as: 'png' })
      .responseType('blob')
      .expect(200);
    expect(await textOf(preview.body as Buffer)).to.match(/^HTTPS:\/\/VERIFY\.EXAMPLE\.COM\/01\//);
    const job = await org.startJob(batch.id, look);
    await api.runJob(job.id);
    const artifacts = await fetchArtifacts(api, org, job.id);
    const { serial, unitId } = codesOf(artifacts)[0]!;
    const [[, png]] = [...imagesOf(artifacts)] as [[string, Buffer]];
    expect(await textOf(png)).to.equal(printed(serial));
    const image = await org
      .get(`/product-units/${unitId}/barcode.png?symbology=${look.symbology}&scale=3`)
      .responseType('blob')
      .expect(200);
    expect(await textOf(image.body as Buffer)).to.equal(printed(serial));
  });
});
