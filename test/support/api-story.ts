/** An organization's life, told so that every documented operation is called and succeeds. */
import { OPERATOR, type TestApi } from './api.ts';
import type { DocumentClient } from './document-client.ts';
import { tellOfPeople } from './api-story/people.ts';
import { tellOfProducts } from './api-story/products.ts';
import { tellOfReports } from './api-story/reports.ts';
import { tellOfRisk } from './api-story/risk.ts';
import { PASSWORD, beginStory } from './api-story/storyteller.ts';
import { tellOfUnits, tellOfConsignments, tellOfRecalls } from './api-story/supply.ts';
import { tellOfVerification } from './api-story/verification.ts';
import { subscribe, tellOfWebhooks } from './api-story/webhooks.ts';

/** What the story leaves behind, for further requests. */
export interface StoryEnd {
  key: string;
  token: string;
  /** Of a distributor's link. */
  linkToken: string;
  /** Of a printed code, and the serial beside it. */
  code: string;
  serial: string;
  /** One of each kind, by prefix. */
  ids: Record<string, string>;
}

/** @returns what further requests can be made of; the session is a new one. */
export async function tellStory(api: TestApi, client: DocumentClient): Promise<StoryEnd> {
  const story = await beginStory(api, client);
  const goods = await tellOfProducts(story);
  const endpointId = await subscribe(story, goods);
  const { scanId, exportId } = await tellOfVerification(story, goods);
  const risk = await tellOfRisk(story, goods);
  const { bulkId } = await tellOfUnits(story, goods);
  const { consignmentId, linkToken } = await tellOfConsignments(story, goods);
  const { recallId } = await tellOfRecalls(story, goods);
  const { reportId, photoId } = await tellOfReports(story, goods);
  const hooks = await tellOfWebhooks(story, endpointId);
  const people = await tellOfPeople(story);
  await client.call('readInstallationStatus', { headers: { Authorization: OPERATOR } });
  await client.call('signOutEverywhere', { as: story.token });
  const signedIn = await client.call('signIn', { body: { email: story.email, password: PASSWORD } });
  const token = signedIn.body.accessToken as string;
  const { data: keys } = (await client.call('listApiKeys', { as: token })).body;
  const { data: users } = (await client.call('listUsers', { as: token })).body;
  const { data: sessions } = (await client.call('listSessions', { as: token })).body;
  return {
    key: story.key,
    token,
    linkToken,
    code: goods.units[0].token,
    serial: goods.units[0].serial,
    ids: {
      prod: goods.product.id,
      batch: goods.batch.id,
      job: goods.job.id,
      unit: goods.units[0].id,
      scan: scanId,
      exp: exportId,
      case: risk.caseId,
      sim: risk.simulationId,
      bulk: bulkId,
      cons: consignmentId,
      rcl: recallId,
      rep: reportId,
      photo: photoId,
      whep: endpointId,
      rcv: hooks.recoveryId,
      evt: hooks.eventId,
      inv: people.invitationId,
      key: keys[0].id,
      user: users[0].id,
      sess: sessions[0].id,
    },
  };
}
