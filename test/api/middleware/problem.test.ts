import express, { type RequestHandler } from 'express';
import { expect } from 'chai';
import supertest from 'supertest';
import { errorHandler, offerErrorPage, type ErrorPageOf } from '../../../api/middleware/problem.ts';
import { requestId } from '../../../api/middleware/request-id.ts';
import { AppError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';

describe('an error as it leaves', () => {
  const logs: string[] = [];
  const log = createLogger('test', 'info', { write: (line: string) => void logs.push(line) });
  beforeEach(() => void (logs.length = 0));

  const ask = (handler: RequestHandler) =>
    supertest(express().use(requestId).get('/', handler).use(errorHandler(log))).get('/');
  const page =
    (body: string): ErrorPageOf =>
    () => ({ headers: { 'Content-Type': 'text/html' }, body });

  it('is kept by no cache, unless its route has said how', async () => {
    const plain = await ask(() => {
      throw new AppError('NOT_FOUND');
    }).expect(404);
    expect(plain.headers['cache-control']).to.equal('no-store');
    const told = await ask((_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=60');
      throw new AppError('NOT_FOUND');
    }).expect(404);
    expect(told.headers['cache-control']).to.equal('public, max-age=60');
  });

  it('says when to come again where it passes, and is in the log by the id that it tells', async () => {
    const answer = await ask(() => {
      throw new AppError('UNAVAILABLE', { cause: new Error('the database is away') });
    }).expect(503);
    expect(answer.headers['retry-after']).to.equal('5');
    expect(logs).to.have.length(1);
    const line = JSON.parse(logs[0]!);
    expect(line).to.include({ level: 40, requestId: answer.body.requestId });
    expect(logs[0]).to.include('the database is away');
    expect(answer.text).not.to.include('the database is away');

    await ask(() => {
      throw new AppError('NOT_FOUND');
    }).expect(404);
    expect(logs).to.have.length(1);
  });

  it('is the page that was offered last, or the one before where that has none or fails', async () => {
    const shown = async (last: ErrorPageOf) => {
      const answer = await ask((_req, res) => {
        offerErrorPage(res, page('the general one'));
        offerErrorPage(res, last);
        throw new AppError('CONFLICT');
      }).expect(409);
      return answer.text;
    };
    expect(await shown(page('its own'))).to.equal('its own');
    expect(await shown(() => null)).to.equal('the general one');
    expect(await shown(() => Promise.reject(new Error('the database is away')))).to.equal('the general one');
  });

  it('is a problem document where every page fails', async () => {
    const answer = await ask((_req, res) => {
      offerErrorPage(res, () => Promise.reject(new Error('the database is away')));
      throw new AppError('CONFLICT', { detail: 'as it stands' });
    }).expect(409);
    expect(answer.headers['content-type']).to.match(/^application\/problem\+json/);
    expect(JSON.parse(answer.text)).to.include({ code: 'CONFLICT', detail: 'as it stands' });
  });
});
