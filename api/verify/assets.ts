/** The page's three files, whose names change with their content, and what browsers and crawlers look for unasked. */
import { Router } from 'express';
import { PAGE_ASSETS } from './page/assets.ts';

/**
 * Printed codes are for whoever holds the product: what a crawler found would be counted and shown to strangers. They say `/V/`, and
 * here capitals matter (RFC 9309, 2.2.2).
 */
const ROBOTS = [
  'User-agent: *',
  ...['/v/', '/V/', '/01/', '/c/'].map((path) => `Disallow: ${path}`),
  '',
].join('\n');

export function pageAssets(): Router {
  const router = Router();
  for (const { path, contentType, body } of Object.values(PAGE_ASSETS)) {
    router.get(path, (_req, res) => {
      res.setHeader('Content-Type', contentType);
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.end(body);
    });
  }
  // Asked for by browsers that show what names no icon: JSON, a CSV, a picture.
  router.get('/favicon.ico', (_req, res) => {
    res.setHeader('Content-Type', PAGE_ASSETS.icon.contentType);
    res.setHeader('Cache-Control', 'public, max-age=86400');
    res.end(PAGE_ASSETS.icon.body);
  });
  router.get('/robots.txt', (_req, res) => {
    res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    res.setHeader('Cache-Control', 'public, max-age=86400');
    res.end(ROBOTS);
  });
  return router;
}
