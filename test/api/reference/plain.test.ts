import { expect } from 'chai';
import { DOCUMENT, DOCUMENTED, resolve, type JsonSchema } from '../../support/openapi-document.ts';

interface Found {
  where: string;
  schema: JsonSchema;
}

/** Every schema below a node, without those that it refers to. */
function below(node: unknown, where: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, child]) => below(child, `${where}.${key}`));
  return [{ where, schema: node as JsonSchema }, ...inner];
}

const SCHEMAS = DOCUMENT['components'].schemas as Record<string, JsonSchema>;
const EVERYWHERE = [DOCUMENT['components'], DOCUMENT['paths'], DOCUMENT['webhooks']].flatMap((part) =>
  below(part, ''),
);

/** The same with what it refers to, by the names of components. */
function reached(node: unknown, where: string, seen = new Set<string>()): Found[] {
  return below(node, where).flatMap((found) => {
    const name = found.schema.$ref?.split('/').at(-1);
    if (name === undefined || seen.has(name)) return [found];
    seen.add(name);
    return [found, ...reached(resolve(found.schema), name, seen)];
  });
}

const whereOf = (found: readonly Found[]) => found.map(({ where }) => where);

/** Each of these made code of popular generators that does not compile, or refuses what the service answers (docs/clients.md). */
describe('the OpenAPI document, for programs that write clients', () => {
  it('has unions of named schemas alone, and tells their members apart where they are objects', () => {
    const unions = EVERYWHERE.filter(({ schema }) => Array.isArray(schema['anyOf'] ?? schema['oneOf']));
    expect(unions.length).to.be.greaterThan(5);
    const unnamed = unions.filter(({ schema }) =>
      ((schema['anyOf'] ?? schema['oneOf']) as JsonSchema[]).some(({ $ref }) => $ref === undefined),
    );
    expect(whereOf(unnamed)).to.deep.equal([]);
    const untold = unions.filter(({ schema }) => Array.isArray(schema['oneOf']) && !schema['discriminator']);
    expect(whereOf(untold)).to.deep.equal([]);
    expect(whereOf(unions.filter(({ schema }) => 'default' in schema))).to.deep.equal([]);
    expect(whereOf(EVERYWHERE.filter(({ schema }) => 'allOf' in schema))).to.deep.equal([]);
  });

  it('says beside the type that a value may be null, and of no value that it is nothing else', () => {
    expect(whereOf(EVERYWHERE.filter(({ schema }) => schema.type === 'null'))).to.deep.equal([]);
    expect(SCHEMAS['Product']!['properties'].gtin.type).to.deep.equal(['string', 'null']);
    expect(SCHEMAS['BarcodeJob']!['properties'].errorCorrection).to.deep.include({
      type: ['string', 'null'],
      enum: ['L', 'M', 'Q', 'H', null],
    });
    expect(SCHEMAS['Batch']!['properties'].recall.type).to.deep.equal(['object', 'null']);
  });

  it('lets what is answered, and what is sent to receivers, have more fields one day, and nothing that is asked', () => {
    const asked = DOCUMENTED.flatMap(({ parameters, requestBody }) =>
      reached([parameters, requestBody], 'asked'),
    );
    const receivers = Object.values(DOCUMENT['webhooks'] as Record<string, { post: JsonSchema }>);
    const told = [
      ...DOCUMENTED.map(({ responses }) => responses),
      ...receivers.map(({ post }) => post['requestBody']),
    ].flatMap((one) => reached(one, 'told'));
    const isClosed = ({ schema }: Found) => schema['additionalProperties'] === false;
    const schemasAsked = new Set(asked.map(({ schema }) => schema));
    expect(whereOf(told.filter((one) => isClosed(one) && !schemasAsked.has(one.schema)))).to.deep.equal([]);
    expect(asked.filter(isClosed).length).to.be.greaterThan(50);
    expect(SCHEMAS['CreateProductBody']!['additionalProperties']).to.equal(false);
  });

  it('names no component as generators name what they make of an operation', () => {
    expect(Object.keys(SCHEMAS).filter((name) => /(?:Request|Response)$/.test(name))).to.deep.equal([]);
  });

  it('gives files as bytes, each body of a request one shape, and each error the same', () => {
    for (const { operationId, requestBody, responses } of DOCUMENTED) {
      for (const [status, given] of Object.entries(responses)) {
        const content = Object.entries(resolve(given).content ?? {});
        for (const [type, { schema }] of content) {
          const where = `${operationId}, ${status}, ${type}`;
          if (/^image\/|pdf$/.test(type)) expect(schema['format'], where).to.equal('binary');
          if (type === 'application/problem+json')
            expect(schema.$ref, where).to.equal('#/components/schemas/Problem');
        }
      }
      const types = Object.keys(requestBody?.content ?? {});
      const bodies = Object.entries(requestBody?.content ?? {}).filter(([, { schema }]) => schema.$ref);
      expect(new Set(bodies.map(([, { schema }]) => schema.$ref)).size, operationId).to.be.at.most(1);
      // OpenAPI Generator takes the first for the arguments, and sends JSON where that is among them.
      if (types.includes('application/json')) expect(types[0], operationId).to.equal('application/json');
    }
  });

  it('has what receivers are sent in a chapter of its own: of two generators keep what they write last', () => {
    const chapters = (operations: readonly { tags: string[] }[]) =>
      new Set(operations.flatMap(({ tags }) => tags));
    const receivers = Object.values(DOCUMENT['webhooks'] as Record<string, { post: { tags: string[] } }>);
    const received = chapters(receivers.map(({ post }) => post));
    expect([...received]).to.deep.equal(['Webhook receivers']);
    expect([...chapters(DOCUMENTED)].filter((tag) => received.has(tag))).to.deep.equal([]);
  });

  it('has the schema of each event as a component, for receivers', () => {
    const events = Object.entries(DOCUMENT['webhooks'] as Record<string, { post: JsonSchema }>);
    for (const [type, { post }] of events) {
      const { $ref } = post['requestBody'].content['application/json'].schema as JsonSchema;
      expect(SCHEMAS[$ref!.split('/').at(-1)!]!['properties'].type.const).to.equal(type);
    }
  });
});
