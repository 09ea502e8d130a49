/** The page's three files; their names change with their content. */
import { Router } from 'express';
import { PAGE_ASSETS } from './page/assets.ts';

export function pageAssets(): Router {
  const router = Router();
  for (const { path, contentType, body } of Object.values(PAGE_ASSETS)) {
    router.get(path, (_req, res) => {
      res.setHeader('Content-Type', contentType);
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.end(body);
    });
  }
  return router;
}
