import { dashboardStack, type Stack } from './support/stack.ts';
import { visit } from './support/visit.ts';

describe('whoever asked too often', function () {
  this.timeout(60_000);
  let stack: Stack;
  before(async () => {
    stack = await dashboardStack();
  });

  for (const [locale, words] of [
    ['en-GB', ['Wait 14 minutes, then try again.', 'Wait 5 seconds, then try again.', 'Wait a minute, then']],
    ['de-DE', ['Warten Sie 14 Minuten und', 'Warten Sie 5 Sekunden und', 'Warten Sie eine Minute und']],
  ] as const) {
    it(`hears how long to wait, where the service says so (${locale})`, () =>
      visit(
        stack,
        async ({ page, expectStatus }) => {
          expectStatus(429);
          const asked = ['800', '5', null];
          await page.route('**/api/v1/auth/sign-in', (route) => {
            const seconds = asked.shift() ?? null;
            return route.fulfill({
              status: 429,
              contentType: 'application/problem+json',
              headers: seconds === null ? {} : { 'Retry-After': seconds },
              body: JSON.stringify({ code: 'RATE_LIMITED', title: 'Too many requests', status: 429 }),
            });
          });
          await page.goto('/app/sign-in');
          await page.locator('input[type="email"]').fill('somebody@example.com');
          await page.locator('input[type="password"]').fill('a long passphrase');
          for (const told of words) {
            await page.locator('input[type="password"]').press('Enter');
            await page.getByText(told).waitFor();
          }
        },
        { locale },
      ));
  }
});
