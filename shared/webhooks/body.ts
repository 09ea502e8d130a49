/** What an attempt sends: the event itself, or what it is in a chat channel. */
import type { Language } from '../languages.ts';
import { chatMessage, type StoredEvent } from './chat/message.ts';
import { slackBody, teamsBody } from './chat/render.ts';

/** `event` is the envelope; the others are messages for people. */
export const ENDPOINT_FORMATS = ['event', 'slack', 'teams'] as const;

export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];

export interface DispatchedEvent {
  /** In public form. */
  id: string;
  type: string;
  createdAt: Date;
  /** JSON. */
  data: string;
}

/** @param publicUrl of the service, for a message's link. @returns bytes: the same at each attempt, while nobody changes the endpoint */
export function bodyOf(
  { format, language }: { format: EndpointFormat; language: Language },
  event: DispatchedEvent,
  publicUrl: string,
): Buffer {
  if (format === 'event')
    // `data` is JSON already, and an id, a type and a time need no escaping.
    return Buffer.from(
      `{"id":"${event.id}","type":"${event.type}","createdAt":"${event.createdAt.toISOString()}","data":${event.data}}`,
    );
  const stored = { type: event.type, data: JSON.parse(event.data) } as StoredEvent;
  const message = chatMessage(stored, language, publicUrl);
  return Buffer.from(JSON.stringify(format === 'slack' ? slackBody(message) : teamsBody(message)));
}
