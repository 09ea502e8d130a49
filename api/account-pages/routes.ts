/**
 * The pages behind the links in mails. The token is in the link's fragment, which is sent to no server; a person presses a
 * button, so that a mail scanner that follows links uses nothing up.
 */
import { Router } from 'express';
import helmet from 'helmet';
import { html, renderHtml, type Html } from '../html.ts';
import { SCRIPT } from './script.ts';
import { STYLES } from './styles.ts';

interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  isRequired: boolean;
}

interface Page {
  title: string;
  lead: string;
  fields: readonly Field[];
  button: string;
  /** Takes `{token, …fields}` as JSON; `{…fields}` where the page needs no token. */
  action: string;
  needsToken: boolean;
  done: string;
}

const newPassword: Field = {
  name: 'password',
  label: 'New password (at least 10 characters)',
  type: 'password',
  autocomplete: 'new-password',
  isRequired: true,
};

const PAGES: Readonly<Record<string, Page>> = {
  'verify-email': {
    title: 'Confirm your address',
    lead: 'One step is left: confirm that this address is yours.',
    fields: [],
    button: 'Confirm',
    action: '/sign-up/verify',
    needsToken: true,
    done: 'Thank you. You can sign in now.',
  },
  'reset-password': {
    title: 'Choose a new password',
    lead: 'Every session of yours will be ended.',
    fields: [newPassword],
    button: 'Set the password',
    action: '/api/v1/auth/reset-password',
    needsToken: true,
    done: 'The new password holds. You can sign in now.',
  },
  'accept-invitation': {
    title: 'Accept the invitation',
    lead: 'Choose a password for your account.',
    fields: [
      { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', isRequired: false },
      newPassword,
    ],
    button: 'Accept',
    action: '/api/v1/auth/accept-invitation',
    needsToken: true,
    done: 'Welcome. You can sign in now.',
  },
  'forgot-password': {
    title: 'Forgotten password',
    lead: 'We send a link to your address, where it has an account.',
    fields: [
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', isRequired: true },
    ],
    button: 'Send the link',
    action: '/api/v1/auth/forgot-password',
    needsToken: false,
    done: 'Look into your mail.',
  },
};

const renderField = ({ name, label, type, autocomplete, isRequired }: Field): Html =>
  isRequired
    ? html`<label
        >${label} <input name="${name}" type="${type}" autocomplete="${autocomplete}" required
      /></label>`
    : html`<label>${label} <input name="${name}" type="${type}" autocomplete="${autocomplete}" /></label>`;

const renderPage = (page: Page): string =>
  `<!doctype html>\n${renderHtml(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} – Touchstone</title>
        <link rel="stylesheet" href="/account/assets/styles.css" />
      </head>
      <body>
        <main>
          <h1>${page.title}</h1>
          <p>${page.lead}</p>
          <form
            data-action="${page.action}"
            data-needs-token="${String(page.needsToken)}"
            data-done="${page.done}"
          >
            ${page.fields.map(renderField)}
            <button type="submit">${page.button}</button>
          </form>
          <p role="status" id="status"></p>
          <noscript>This page needs JavaScript.</noscript>
        </main>
        <script src="/account/assets/script.js"></script>
      </body>
    </html>`,
  )}\n`;

export function accountPages(): Router {
  const router = Router();
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
  for (const [name, page] of Object.entries(PAGES)) {
    const text = renderPage(page);
    router.get(`/account/${name}`, policy, (_req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      res.type('html').send(text);
    });
  }
  router.get('/account/assets/styles.css', (_req, res) => {
    res.type('text/css').send(STYLES);
  });
  router.get('/account/assets/script.js', (_req, res) => {
    res.type('text/javascript').send(SCRIPT);
  });
  return router;
}
