/** The page's files, under names that change with their content, so that they may be cached for ever. */
import { createHash } from 'node:crypto';
import { FAVICON } from './icons.ts';
import { SCRIPT } from './script.ts';
import { STYLES } from './styles.ts';

export interface Asset {
  /** Path from the server's root, `/assets/verify.0123456789ab.css`. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** Serve with `Cache-Control: public, max-age=31536000, immutable` and `X-Content-Type-Options: nosniff`. */
export const PAGE_ASSETS = {
  style: asset('css', 'text/css; charset=utf-8', STYLES),
  script: asset('js', 'text/javascript; charset=utf-8', SCRIPT),
  icon: asset('svg', 'image/svg+xml', FAVICON),
} as const;

function asset(extension: string, contentType: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/verify.${hash}.${extension}`, contentType, body };
}
