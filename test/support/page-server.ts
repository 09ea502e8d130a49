/** A tiny server of consumer pages with their very headers, for the browser tests; listens on loopback. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_ASSETS } from '../../api/verify/page/assets.ts';
import { pageHeaders } from '../../api/verify/page/layout.ts';
import { isLocale } from '../../api/verify/page/locales.ts';
import { renderProductPage } from '../../api/verify/page/product.ts';
import { renderVerificationPage } from '../../api/verify/page/render.ts';
import { renderReportThanks } from '../../api/verify/page/thanks.ts';
import { QUIET_PAGE } from './windows.ts';
import {
  BRAND,
  hiddenCodeContext,
  isHiddenCodeState,
  isNfcTapState,
  nfcTapFields,
  pageContext,
  PRODUCT_CODES,
  productInformation,
  VERDICTS,
  verification,
} from './verification-pages.ts';

export interface ReceivedPost {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

export interface PageServer {
  readonly origin: string;
  readonly posts: ReceivedPost[];
  close(): Promise<void>;
}

const BOTTLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><path d="M34 6h12v16c0 5 8 8 8 17v31a5 5 0 0 1-5 5H31a5 5 0 0 1-5-5V39c0-9 8-12 8-17z" fill="#3f5a1e"/><path d="M34 6h12v7H34z" fill="#d9a514"/><path d="M26 44h28v20H26z" fill="#f5efdc"/><circle cx="40" cy="54" r="6" fill="#7d9a3a"/></svg>';

/** `GET /v/{verdict}?lang=` answers the page of that verdict, `/01/{code}` that of a product's code, with `&logo` under a logo of the brand's own, with `&unconfirmed` of a brand without a domain, with `&hidden=` of a package with a hidden code, with `&nfc=` of one with an NFC tag. POSTs are kept in `posts`: reports get
 * the page of thanks, others 204. */
export async function startPageServer(): Promise<PageServer> {
  const posts: ReceivedPost[] = [];
  const server = createServer((req, res) => {
    const url = new URL(req.url!, 'http://localhost');
    const asset = Object.values(PAGE_ASSETS).find(({ path }) => path === url.pathname);
    const verdict = VERDICTS.find((verdict) => url.pathname === `/v/${verdict}`);
    const code = PRODUCT_CODES.find((code) => url.pathname === `/01/${code}`);
    if (req.method === 'POST') {
      let body = '';
      req.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      req.on('end', () => {
        posts.push({ path: url.pathname, contentType: req.headers['content-type'] ?? '', body });
        const report = url.pathname.endsWith('reports');
        if (report) res.writeHead(201, pageHeaders('en')).end(renderReportThanks(BRAND, 'en'));
        else res.writeHead(204).end();
      });
    } else if (asset) {
      res.writeHead(200, { 'content-type': asset.contentType, 'x-content-type-options': 'nosniff' });
      res.end(asset.body);
    } else if (url.pathname === QUIET_PAGE) {
      // Named here, no icon is asked for: a 404 for it would come when the page is a test's already, as its complaint.
      const quiet = '<!doctype html><link rel="icon" href="data:,">';
      res.writeHead(200, { 'content-type': 'text/html' }).end(quiet);
    } else if (url.pathname === '/bottle.svg' || url.pathname === '/logo.svg') {
      res.writeHead(200, { 'content-type': 'image/svg+xml' }).end(BOTTLE);
    } else if (verdict ?? code) {
      const image = `${handle.origin}/bottle.svg`;
      const asked = url.searchParams.get('lang');
      const locale = isLocale(asked) ? asked : 'en';
      const known = pageContext(verdict ?? 'genuine', { locale });
      const logoUrl = url.searchParams.has('logo') ? `${handle.origin}/logo.svg` : null;
      const standing = url.searchParams.has('unconfirmed') ? { domain: null, isUnconfirmed: true } : {};
      const hidden = url.searchParams.get('hidden');
      const entered = isHiddenCodeState(hidden) ? hiddenCodeContext(hidden) : {};
      const context = { ...known, ...entered, brand: { ...known.brand, logoUrl, ...standing } };
      res.writeHead(verdict === 'unknown' ? 404 : 200, pageHeaders(locale, logoUrl, image));
      const hasHiddenCode = hidden !== null;
      const nfc = url.searchParams.get('nfc');
      const tapped = isNfcTapState(nfc) ? nfcTapFields(nfc) : {};
      if (verdict)
        res.end(
          renderVerificationPage({ ...verification(verdict, image), hasHiddenCode, ...tapped }, context),
        );
      else res.end(renderProductPage(productInformation(code!, image), context));
    } else {
      res.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const handle: PageServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return handle;
}
