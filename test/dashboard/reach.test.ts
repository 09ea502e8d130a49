/** What can be reached, whatever the width, and found by what somebody has in hand. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { encodeId } from '../../shared/ids.ts';
import { seedBatch, seedEndpoint } from '../support/seed.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { PHONE, remember, signIn, visit } from './support/visit.ts';

describe('the dashboard’s screens', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  const rows = (page: Page) => page.locator('tbody tr');

  it('have the whole of a unit’s scans in a case, also beside other things', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, owner, '/app/cases');
        await page
          .getByRole('row', { name: /Copied code/ })
          .first()
          .getByRole('link')
          .click();
        const table = page.getByRole('table', { name: 'Scans of this unit' });
        // What is wider than its place can be scrolled there, by whoever reads it too.
        await table.getByRole('row').nth(1).waitFor();
        const places = await page.evaluate<string[]>(`(() => {
          const table = document.querySelector('table[aria-label="Scans of this unit"]');
          const places = [];
          for (let place = table.parentElement; place !== document.body; place = place.parentElement)
            if (place.scrollWidth > place.clientWidth) places.push(getComputedStyle(place).overflowX);
          return places.filter((overflow) => overflow !== 'visible');
        })()`);
        expect(places[0]).to.equal('auto');
      },
      { viewport: { width: 1024, height: 768 } },
    ));

  it('hide no field that has the focus behind the bar that saves a policy', async () => {
    for (const viewport of [PHONE, { width: 640, height: 400 }])
      await visit(
        stack,
        async ({ page }) => {
          await signIn(page, owner, '/app/risk-policy');
          await page.getByLabel('Suspicious from').fill('71');
          await page.locator('.policy-bar[data-sticky]').waitFor();
          const covered: string[] = [];
          for (let stop = 0; stop < 18; stop += 1) {
            await page.keyboard.press('Tab');
            const name = await page.evaluate<string | null>(`(() => {
              const focused = document.activeElement;
              const { x, y, width, height } = focused.getBoundingClientRect();
              const above = document.elementFromPoint(x + width / 2, y + height / 2);
              return above?.closest('.policy-bar') && !focused.closest('.policy-bar') ? focused.outerHTML : null;
            })()`);
            if (name !== null) covered.push(name);
          }
          expect(covered, `at ${viewport.width}`).to.deep.equal([]);
        },
        { viewport },
      );
  });

  it('show on a phone which of the settings one is at', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, owner, '/app/settings/account');
        const link = page.locator('.section-tabs a[aria-current=page]');
        const box = (await link.boundingBox())!;
        expect(box.x).to.be.at.least(0);
        expect(box.x + box.width).to.be.at.most(PHONE.width);
      },
      { viewport: PHONE },
    ));

  it('keep the words of a mail address whole on a phone', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, await stack.account(), '/app/settings/people');
        const address = page.locator('td[data-label="E-mail address"]');
        await address.getByText('dashboard.example').waitFor();
        const broken = await address.evaluate((cell) => {
          const { document } = cell.ownerDocument.defaultView!;
          const texts = document.createTreeWalker(cell, 4);
          const onTwoLines: string[] = [];
          while (texts.nextNode()) {
            const text = texts.currentNode;
            for (const { 0: word, index } of text.nodeValue!.matchAll(/[a-z0-9]+/gi)) {
              const range = document.createRange();
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              if (range.getClientRects().length > 1) onTwoLines.push(word);
            }
          }
          return onTwoLines;
        });
        expect(broken).to.deep.equal([]);
      },
      { viewport: { width: 360, height: 740 } },
    ));

  it('name no action on a phone where there is none, as to an invitation that was taken back', () =>
    visit(
      stack,
      async ({ page }) => {
        const mine = await stack.account();
        await stack.installation.core.db.query(
          `insert into invitations (id, org_id, email, role, token_digest, invited_by, language, created_at, expires_at, revoked_at)
           select gen_random_uuid(), $1, 'guest' || n || '@dashboard.example', 'viewer', decode(md5(random()::text) || md5(random()::text), 'hex'), $2, 'en', now(), now() + interval '1 day',
                  case when n = 1 then now() end
             from generate_series(1, 2) n`,
          [mine.orgId, mine.userId],
        );
        await signIn(page, mine, '/app/settings/people');
        const row = (address: string) => page.locator('tr', { hasText: address });
        const cell = (address: string) => row(address).locator('td[data-label="Actions"]');
        await cell('guest2@').getByRole('button').waitFor();
        expect(await cell('guest2@').isVisible()).to.equal(true);
        expect(await cell('guest1@').count()).to.equal(1);
        expect(await cell('guest1@').isVisible()).to.equal(false);
      },
      { viewport: PHONE },
    ));

  it('have what a button says in its middle on a phone, whether it is a link or not', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, owner, '/app/products');
        await page.locator('tbody a').first().click();
        await page.getByRole('link', { name: 'Edit' }).waitFor();
        const off = await page.evaluate<number[]>(`[...document.querySelectorAll('main .mantine-Button-root')]
          .map((button) => [button, button.querySelector('.mantine-Button-label')].map((part) => part.getBoundingClientRect()))
          .map(([whole, label]) => Math.abs(whole.top + whole.bottom - label.top - label.bottom) / 2)`);
        expect(off.length).to.be.at.least(3);
        expect(Math.max(...off)).to.be.at.most(1);
      },
      { viewport: PHONE },
    ));

  it('explain all the points of a case’s one suspicious scan', () =>
    visit(stack, async ({ page }) => {
      const { rows: found } = await stack.installation.core.db.query<{ id: string }>(
        `select c.id
           from risk_cases c join scans s on s.id = c.first_scan_id
          where c.org_id = $1 and c.suspicious_scans = 1 and c.status <> 'confirmed'
            and s.risk_score - (select sum((signal ->> 'weight')::integer) from jsonb_array_elements(s.signals) signal
                                 where signal ->> 'type' <> 'diversion') > 1
          limit 1`,
        [owner.orgId],
      );
      await signIn(page, owner, `/app/cases/${encodeId('case', found[0]!.id)}`);
      await page.getByText(/Smaller signs: \d+ of 100 points/).waitFor();
    }));

  it('find cases and reports by a serial, and units by their product', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/cases');
      const first = page.locator('tbody a').first();
      // Each row asks for the name of its unit.
      await first.filter({ hasText: /[0-9A-Z]{8,}/ }).waitFor();
      const serial = /[0-9A-Z]{8,}/.exec((await first.textContent())!)![0];
      await page.getByRole('searchbox').fill(serial);
      await rows(page).nth(1).waitFor({ state: 'detached' });
      await first.filter({ hasText: serial }).waitFor();
      await page.goto('/app/reports');
      await rows(page).nth(1).waitFor();
      await page.getByRole('searchbox').fill('nothing of the kind');
      await page.getByText('No report matches').waitFor();
      await page.getByRole('button', { name: 'Show all reports' }).click();
      await rows(page).nth(1).waitFor();
    }));

  it('have nothing beyond the side at 320 pixels, in the language of the longest words either', async () => {
    const { rows: recalls } = await stack.installation.core.db.query<{ id: string }>(
      'select id from recalls where org_id = $1 and lifted_at is null',
      [owner.orgId],
    );
    const { rows: keys } = await stack.installation.core.db.query<{ id: string }>(
      'select id from api_keys where org_id = $1',
      [owner.orgId],
    );
    const screens = [
      '/app/overview',
      `/app/recalls/${encodeId('rcl', recalls[0]!.id)}`,
      `/app/developers/keys/${encodeId('key', keys[0]!.id)}`,
    ];
    for (const locale of ['en-GB', 'de-DE'])
      await visit(
        stack,
        async ({ page }) => {
          await remember(page, owner);
          for (const screen of screens) {
            await page.goto(screen);
            await page.locator('h1').waitFor();
            await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' });
            const beyond = await page.evaluate(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            );
            expect(beyond, `${screen} in ${locale}`).to.be.at.most(0);
          }
        },
        { viewport: { width: 320, height: 640 }, locale },
      );
  });

  it('have nothing beyond the side on a phone below a product with a long name', async () => {
    const { orgId } = await stack.account();
    const { productId, batchId } = await seedBatch({ ...stack.installation, orgId }, 1, []);
    await stack.installation.core.db.query('update products set name = $2 where id = $1', [
      productId,
      'Eau de Parfum Intense, limited edition of the winter collection, refillable flask of 100 ml',
    ]);
    const maker = await stack.account('administrator', orgId);
    await visit(
      stack,
      async ({ page }) => {
        await signIn(page, maker, `/app/batches/${encodeId('batch', batchId)}`);
        await page.locator('main header').getByRole('link', { name: 'Eau de Parfum' }).waitFor();
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond)).to.be.at.most(0);
      },
      { viewport: PHONE },
    );
  });

  it('have nothing beyond the side on a phone below the long description of an endpoint', async () => {
    const maker = await stack.account();
    const id = await seedEndpoint(
      { ...stack.installation, orgId: maker.orgId },
      'https://127.0.0.1:9443/hooks',
    );
    await stack.installation.core.db.query('update webhook_endpoints set description = $2 where id = $1', [
      id,
      'ERP_OF_THE_NORTHERN_WAREHOUSE_'.repeat(6),
    ]);
    await visit(
      stack,
      async ({ page }) => {
        await signIn(page, maker, `/app/developers/webhooks/${encodeId('whep', id)}`);
        await page.getByText('ERP_OF_THE_NORTHERN_WAREHOUSE_').waitFor();
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond)).to.be.at.most(0);
      },
      { viewport: PHONE },
    );
  });

  /** A product whose name has no space, and somebody of its organization. */
  const withLongName = async () => {
    const { orgId } = await stack.account();
    const { productId } = await seedBatch({ ...stack.installation, orgId }, 1, []);
    await stack.installation.core.db.query('update products set name = $2 where id = $1', [
      productId,
      'EAU_DE_PARFUM_'.repeat(12),
    ]);
    return { productId, maker: await stack.account('administrator', orgId) };
  };

  it('have nothing beyond the side of a dialog about a name without a space', async () => {
    const { maker, productId } = await withLongName();
    await visit(
      stack,
      async ({ page }) => {
        await signIn(page, maker, `/app/products/${encodeId('prod', productId)}`);
        await page.getByRole('button', { name: 'Archive' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Close' }).waitFor();
        const beyond = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        expect(beyond).to.be.at.most(0);
      },
      { viewport: PHONE },
    );
  });

  it('have all of a table in the window beside a name without a space', async () => {
    const { maker } = await withLongName();
    await visit(stack, async ({ page }) => {
      for (const screen of ['/app/products', '/app/batches']) {
        await signIn(page, maker, screen);
        await page.getByRole('link', { name: 'EAU_DE_PARFUM_' }).waitFor();
        const beyond = await page.locator('table.data-table').evaluate(({ parentElement }) => {
          const { scrollWidth, clientWidth } = parentElement!;
          return scrollWidth - clientWidth;
        });
        expect(beyond, screen).to.be.at.most(0);
      }
    });
  });

  it('have the scans of a case counted as numbers are written', () =>
    visit(
      stack,
      async ({ page }) => {
        const list = /\/api\/v1\/risk-cases\?/;
        await page.route(list, async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as { data: object[] };
          const data = answer.data.map((riskCase) => ({ ...riskCase, suspiciousScans: 1234 }));
          await route.fulfill({ response, json: { ...answer, data } });
        });
        try {
          await remember(page, owner);
          await page.goto('/app/cases');
          await page.getByRole('cell', { name: '1.234', exact: true }).first().waitFor();
        } finally {
          await page.unroute(list);
        }
      },
      { locale: 'de-DE' },
    ));

  it('keep the words of a Japanese heading whole in a narrow table', () =>
    visit(
      stack,
      async ({ page }) => {
        await remember(page, owner);
        for (const [screen, table] of [
          ['/app/overview?range=90d', '.top-products'],
          ['/app/settings/people', '.compact'],
        ] as const) {
          await page.goto(screen);
          await page.locator(`${table} tbody td`).first().waitFor();
          const broken = await page.evaluate<string[]>(`(() => {
            const lines = (heading) => {
              const range = document.createRange();
              range.selectNodeContents(heading);
              return new Set([...range.getClientRects()].map(({ top }) => top)).size;
            };
            return [...document.querySelectorAll('${table} thead th')]
              .filter((heading) => lines(heading) > 1)
              .map((heading) => heading.textContent);
          })()`);
          expect(broken, screen).to.deep.equal([]);
        }
      },
      { viewport: PHONE, locale: 'ja-JP' },
    ));

  it('have a picker of colours that a finger hits', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/settings/brand');
      const { width, height } = (await page.locator('input[type=color]').boundingBox())!;
      expect(Math.min(width, height)).to.be.at.least(24);
    }));

  it('show what is chosen, switched on and meant by the legend in the reader’s own few colours, too', () =>
    visit(
      stack,
      async ({ page }) => {
        const colours = (selector: string) =>
          page.evaluate<string[]>(
            `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => getComputedStyle(one).backgroundColor)`,
          );
        await signIn(page, owner, '/app/overview');
        await page.locator('.chart canvas').waitFor();
        const marks = await colours('.figure:has(.chart) .legend-mark');
        expect(new Set(marks).size).to.equal(marks.length);
        const [on] = await colours('.mantine-SegmentedControl-label[data-active]');
        expect(await colours('.mantine-SegmentedControl-label:not([data-active])')).to.not.include(on);
        await page.goto('/app/risk-policy');
        await page.locator('.mantine-Switch-track').first().waitFor();
        const [track] = await colours('.mantine-Switch-track');
        const [thumb] = await colours('.mantine-Switch-thumb');
        expect(track).to.not.equal(thumb);
      },
      { forcedColors: 'active' },
    ));
});
