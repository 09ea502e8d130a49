/** `GET /openapi.json`, and the reference at `/docs`, self-hosted. */
import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import express, { Router } from 'express';
import helmet from 'helmet';
import { openApiDocument } from './openapi.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Touchstone API reference</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** What the page loads; the package's other files, its version among them, are nobody's business. */
const ASSETS = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

export function reference(publicUrl: string): Router {
  let document: string | undefined;
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = Router();
  router.get('/openapi.json', (_req, res) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    // Written when somebody asks: it takes a tenth of a second, and most processes are never asked.
    document ??= JSON.stringify(openApiDocument(publicUrl));
    res.type('application/json').send(document);
  });
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Swagger UI sets style attributes from its script, which is not inline style in the sense of the policy.
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
  router.get('/docs', policy, (_req, res) => {
    res.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_req, res) => {
    res.type('text/javascript').send(START);
  });
  const files = express.static(assets, { index: false, maxAge: '1h' });
  router.use('/docs/assets', (req, res, next) => {
    if (ASSETS.has(req.path)) files(req, res, next);
    else next();
  });
  return router;
}
