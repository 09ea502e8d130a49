import { expect } from 'chai';
import { correctConsignment } from '../../shared/consignments/correct.ts';
import { withTransaction } from '../../shared/db.ts';
import { dispatched, drafted, type Consigned } from './support/consignments.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('a draft of a consignment in the dashboard', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  const correct = ({ id }: Consigned, changes: Parameters<typeof correctConsignment>[3]) =>
    withTransaction(stack.installation.core.db, ({ db }) => correctConsignment(db, owner.orgId, id, changes));

  it('is corrected with the fields of its making, and keeps what the form does not ask for', () =>
    visit(stack, async ({ page }) => {
      const draft = await drafted(stack, owner, 2, {
        reference: 'TYPO',
        origin: { name: 'Lagar do Sul', address: 'Rua 5, Beja', country: 'PT' },
        references: [
          { type: 'invoice', value: '4711' },
          { type: 'purchase order', value: 'PO-8' },
        ],
      });
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await signIn(page, owner, draft.path);
      await page.getByRole('link', { name: 'Edit' }).click();
      const reference = page.getByLabel('Reference');
      expect(await reference.inputValue()).to.equal('TYPO');
      expect(await page.getByLabel('Purchase order').inputValue()).to.equal('PO-8');
      expect(await page.getByLabel('Sender’s address').inputValue()).to.equal('Rua 5, Beja');
      await inspect(page, 'consignment-edit');
      // Nothing was changed: nothing is sent.
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      await reference.fill('RIGHT');
      await page.getByLabel('Sent from').fill('Lagar do Norte');
      await page.getByLabel('Purchase order').fill('PO-9');
      await page.getByLabel('Address', { exact: true }).fill('Kai 7, Hamburg');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'RIGHT' }).waitFor();
      await page.getByText('Lagar do Norte, Rua 5, Beja, Portugal').waitFor();
      await page.getByText('Kai 7, Hamburg').waitFor();
      await page.getByText('4711').waitFor();
      await page.getByText('PO-9').waitFor();
      const distributor = { name: 'Nordhandel GmbH', address: null, country: 'DE' };
      const documents = [{ type: 'invoice', value: '4711' }];
      const origin = { name: 'Lagar do Sul', address: 'Rua 5, Beja', country: 'PT' };
      expect(sent).to.deep.equal([
        {
          reference: 'RIGHT',
          origin: { ...origin, name: 'Lagar do Norte' },
          destination: { ...distributor, address: 'Kai 7, Hamburg' },
          references: [...documents, { type: 'purchase order', value: 'PO-9' }],
          expected: {
            reference: 'TYPO',
            origin,
            destination: distributor,
            references: [...documents, { type: 'purchase order', value: 'PO-8' }],
          },
        },
      ]);
    }));

  it('says beside a field what a colleague made of it meanwhile, and of an SSCC that it is taken', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409, 422);
      const sscc = '106141412345678908';
      await drafted(stack, owner, 1, { reference: 'FIRST', sscc });
      const draft = await drafted(stack, owner, 1, { reference: 'BOTH' });
      await signIn(page, owner, `${draft.path}/edit`);
      await page.getByLabel('Address', { exact: true }).fill('Kai 7');
      await page.getByLabel('Purchase order').fill('MINE');
      const theirs = { name: 'Südhandel', address: null, country: 'AT' };
      await correct(draft, {
        destination: theirs,
        references: [{ type: 'purchase order', value: 'THEIRS' }],
        reference: 'ALSO THEIRS',
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: Südhandel, Austria').waitFor();
      await page.getByText('It is now: THEIRS').waitFor();
      expect(await page.getByLabel('Address', { exact: true }).inputValue()).to.equal('Kai 7');
      expect(await page.getByLabel('Distributor').inputValue()).to.equal('Südhandel');
      await page.getByLabel('SSCC').fill(sscc);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('This is taken already.').waitFor();
      await page.getByLabel('SSCC').and(page.locator('[aria-invalid=true]')).waitFor();
      await page.getByLabel('SSCC').fill('');
      const place = page.getByLabel('Address', { exact: true });
      await place.fill('7'.repeat(501));
      await page.getByRole('button', { name: 'Save' }).click();
      await place.and(page.locator('[aria-invalid=true]:focus')).waitFor();
      expect(await page.locator('[aria-invalid=true]').count()).to.equal(1);
      await place.fill('Kai 7');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'ALSO THEIRS' }).waitFor();
      await page.getByText('Kai 7, Austria').waitFor();
      await page.getByText('MINE').waitFor();
    }));

  it('keeps what was typed of a sender that a colleague took away meanwhile', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      const draft = await drafted(stack, owner, 1, {
        reference: 'SENDER',
        origin: { name: 'Lagar do Sul', address: 'Rua 5, Beja', country: 'PT' },
      });
      await signIn(page, owner, `${draft.path}/edit`);
      const place = page.getByLabel('Sender’s address');
      await place.fill('Rua 7, Beja');
      await correct(draft, { origin: null });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: –').waitFor();
      expect(await place.inputValue()).to.equal('Rua 7, Beja');
      await place.fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'SENDER' }).waitFor();
    }));

  it('is corrected by who may write, and no more once it has left', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      const draft = await drafted(stack, owner, 1, { reference: 'LEAVES' });
      await signIn(page, await stack.account('viewer', owner.orgId), draft.path);
      await page.getByRole('heading', { name: 'LEAVES' }).waitFor();
      expect(await page.getByRole('link', { name: 'Edit' }).count()).to.equal(0);
      await signIn(page, owner, draft.path);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Reference').fill('TOO LATE');
      const { core } = stack.installation;
      await core.db.query(
        `update consignments set status = 'dispatched', dispatched_at = now() where id = $1`,
        [draft.id],
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('a draft is corrected; this consignment is dispatched').waitFor();
      expect(await page.getByLabel('Reference').inputValue()).to.equal('TOO LATE');
      const other = await dispatched(stack, owner, 1, { reference: 'LEFT' });
      await page.getByLabel('Reference').fill('LEAVES');
      await page.goto(other.path);
      await page.getByText('Under way', { exact: true }).first().waitFor();
      expect(await page.getByRole('link', { name: 'Edit' }).count()).to.equal(0);
      await page.goto(`${other.path}/edit`);
      await page.getByText('Only a draft can be corrected').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).to.equal(0);
    }));
});
