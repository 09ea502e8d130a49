/** The dashboard at `/app`: its page, with a nonce of its own for each answer, and its files, which never change. */
import { randomBytes } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import { AppError } from '../../shared/errors.ts';
import type { Config } from '../../shared/config.ts';
import { readDashboard, type BuiltDashboard, type Encoding } from './files.ts';

const NONCE_PLACEHOLDER = 'CSP_NONCE';
/** Whether anybody may sign an organization up: the pages before the sign-in know nothing else of the installation. */
const SIGN_UP_PLACEHOLDER = 'OPEN_OR_CLOSED';

/**
 * Scripts and styles with the nonce, and what such a script loads; nothing of another host. A picture or a download may be
 * made in the page.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    // Files of the build by address, `<style>` by nonce; no style attribute in markup.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function page({ page: built }: BuiltDashboard, signUp: Config['SIGN_UP']): RequestHandler {
  const html = built.replace(SIGN_UP_PLACEHOLDER, signUp);
  return (_req, res) => {
    const nonce = randomBytes(16).toString('base64url');
    res.setHeader('Content-Security-Policy', policyWith(nonce));
    // The page names the files of one build: it must be asked for again after the next.
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(html.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
}

const SMALLEST_FIRST: readonly Encoding[] = ['br', 'gzip'];

const asset =
  ({ assets }: BuiltDashboard): RequestHandler<{ name: string }> =>
  (req, res) => {
    const found = assets.get(req.params.name);
    if (found === undefined) throw new AppError('NOT_FOUND', { detail: 'no such file' });
    // Browsers name gzip first and mean no order by it; the smaller one is asked about first.
    const encoding =
      SMALLEST_FIRST.find((one) => one in found.bodies && req.acceptsEncodings(one)) ?? 'identity';
    res.setHeader('Content-Type', found.contentType);
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('ETag', `"${req.params.name}-${encoding}"`);
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
    res.end(found.bodies[encoding]);
  };

const NOT_BUILT: BuiltDashboard = { page: '', assets: new Map() };

/** @param built the build; without one every address says how to make it. */
export function dashboard(
  { SIGN_UP: signUp }: Pick<Config, 'SIGN_UP'>,
  built: BuiltDashboard | null = readDashboard(),
): Router {
  const router = Router();
  if (built === null) {
    router.use('/app', () => {
      throw new AppError('NOT_FOUND', { detail: 'the dashboard is not built: npm run build' });
    });
  }
  router.get('/app/assets/:name', asset(built ?? NOT_BUILT));
  // Its own router knows the addresses below.
  for (const path of ['/app', '/app/{*path}']) router.get(path, page(built ?? NOT_BUILT, signUp));
  return router;
}
