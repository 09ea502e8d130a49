/** Bull Board at `/ops/queues`, behind the operator's own credentials. */
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { AppError } from '../../shared/errors.ts';
import { encodeId, type IdPrefix } from '../../shared/ids.ts';
import { QUEUE_NAMES, type QueueName, type Queues } from '../../shared/queues.ts';
import type { ApiDeps } from '../deps.ts';
import { isOperator } from './operator.ts';

const BASE_PATH = '/ops/queues';

function operatorOnly(config: ApiDeps['config']): RequestHandler {
  return (req, res, next) => {
    if (!isOperator(config, req)) {
      res.setHeader('WWW-Authenticate', 'Basic realm="Touchstone operations", charset="UTF-8"');
      res.status(401).type('text/plain').send('operator credentials are needed\n');
      return;
    }
    next();
  };
}

/** A browser sends Basic credentials along whoever asks: what changes something must come from the board itself. */
const sameOriginOnly: RequestHandler = (req, _res, next) => {
  const site = req.get('sec-fetch-site');
  if (req.method !== 'GET' && req.method !== 'HEAD' && site !== undefined && site !== 'same-origin') {
    throw new AppError('FORBIDDEN', { detail: 'this request comes from another site' });
  }
  next();
};

/** The kind of id behind a payload's field; `jobId` is of one kind in each queue. */
const KINDS: Readonly<Record<string, IdPrefix>> = {
  orgId: 'org',
  endpointId: 'whep',
  recoveryId: 'rcv',
  simulationId: 'sim',
};

/** @returns the payload with ids as the API shows them, so that an operator can look them up. */
const readable = (queue: QueueName) => (data: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      const kind = field === 'jobId' ? (queue === 'run-bulk-jobs' ? 'bulk' : 'job') : KINDS[field];
      return [field, kind !== undefined && typeof value === 'string' ? encodeId(kind, value) : value];
    }),
  );

function adapterOf(queues: Queues, name: QueueName): BullMQAdapter {
  const adapter = new BullMQAdapter(queues[name]);
  adapter.setFormatter('data', readable(name));
  return adapter;
}

export function bullBoard({ config, queues }: ApiDeps): Router {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(BASE_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => adapterOf(queues, name)),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Touchstone queues', hideRedisDetails: true } },
  });
  const router = Router();
  router.use(
    BASE_PATH,
    operatorOnly(config),
    sameOriginOnly,
    // The board writes styles into its page and loads nothing from elsewhere.
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    }),
    adapter.getRouter() as Router,
  );
  return router;
}
