import { expect } from 'chai';
import { ApiError } from '../../dashboard/src/api/errors.ts';
import { readFigures } from '../../dashboard/src/api/figures.ts';

describe('a file of figures that the dashboard reads', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  const failure = async (answer: () => Promise<Response>): Promise<ApiError> => {
    globalThis.fetch = answer;
    const error: unknown = await readFigures('/app/assets/cities.json').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ApiError);
    return error as ApiError;
  };

  it('is what is in it', async () => {
    globalThis.fetch = () => Promise.resolve(Response.json([1, 2]));
    expect(await readFigures('/app/assets/cities.json')).to.deep.equal([1, 2]);
  });

  it('is asked for again where it did not arrive, or only a part of it', async () => {
    expect((await failure(() => Promise.reject(new TypeError('Failed to fetch')))).isPassing).to.equal(true);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('cut off')) });
    expect((await failure(() => Promise.resolve(new Response(broken)))).isPassing).to.equal(true);
  });

  it('is not asked for again where it is not there', async () => {
    expect((await failure(() => Promise.resolve(new Response('', { status: 404 })))).isPassing).to.equal(
      false,
    );
  });
});
