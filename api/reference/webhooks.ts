import { eventTypeDocuments } from '../../shared/events/catalogue.ts';

const HEADERS: [name: string, description: string][] = [
  ['X-Service-Event', 'Type of the event'],
  ['X-Service-Event-Id', 'Id of the event, identical across retries: drop what you have seen'],
  ['X-Service-Delivery', 'Unique for each attempt'],
  [
    'X-Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with the signing secret',
  ],
];

/** `scan.recorded` becomes `ScanRecorded`. */
const pascal = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/** What a receiver is sent, for each event type of the catalogue. */
export function webhookDocuments(): Record<string, unknown> {
  return Object.fromEntries(
    eventTypeDocuments().map(({ type, description, dataSchema, example }) => {
      const { $schema: _, ...data } = dataSchema;
      const envelope = {
        type: 'object',
        title: `${pascal(type)}Event`,
        required: ['id', 'type', 'createdAt', 'data'],
        properties: {
          id: { type: 'string', description: 'Identical across retries' },
          type: { type: 'string', const: type },
          createdAt: { type: 'string', format: 'date-time' },
          data: { ...data, description: 'What happened' },
        },
      };
      const post = {
        operationId: `on${pascal(type)}`,
        summary: description,
        // No tag of operations that are called: OpenAPI Generator writes one class a tag, and what is written last would be all of it.
        tags: ['Webhook receivers'],
        // The signature is the credential.
        security: [],
        parameters: HEADERS.map(([name, meaning]) => ({
          name,
          in: 'header',
          required: true,
          description: meaning,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: envelope, example } } },
        responses: {
          '2XX': { description: 'Acknowledges the delivery' },
          '4XX': {
            description: 'Tried again later, as everything that is no 2xx; 410 disables the endpoint',
          },
        },
      };
      return [type, { post }];
    }),
  );
}
