import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  AppError,
  ERROR_CATALOGUE,
  invalidField,
  invalidFields,
  invalidTransition,
} from '../../shared/errors.ts';
import { FIELD_ERRORS, refusal } from '../../shared/field-errors.ts';
import { packageRoot } from '../../shared/package-root.ts';

describe('the catalogue of errors', () => {
  it('is the table of docs/errors.md: code, status and title, in the same order', () => {
    const text = readFileSync(`${packageRoot}/docs/errors.md`, 'utf8');
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| ([^|]+) \| ([^|]+) \|$/gm)];
    const documented = rows.map(([, code, status, title]) => [code, Number(status), title]);
    const inCode = Object.entries(ERROR_CATALOGUE).map(([code, { status, title }]) => [code, status, title]);
    expect(documented).to.deep.equal(inCode);
    for (const [, code, , , advice] of rows) expect(advice!.trim().length, code).to.be.greaterThan(10);
  });

  it('of fields is the second table there: code, meaning and parameters, in the same order', () => {
    const text = readFileSync(`${packageRoot}/docs/errors.md`, 'utf8');
    const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \| ([^|]*) \|$/gm)];
    const documented = rows.map(([, code, means, params]) => [code, means, params!.trim()]);
    const inCode = Object.entries(FIELD_ERRORS).map(([code, known]) => {
      const params: readonly string[] = 'params' in known ? known.params : [];
      return [code, known.means, params.map((name) => `\`${name}\``).join(', ')];
    });
    expect(documented).to.deep.equal(inCode);
  });

  it('has no code, of an answer or of a field, that nothing gives', () => {
    const files = ['api', 'shared'].flatMap((folder) =>
      readdirSync(`${packageRoot}/${folder}`, { recursive: true }).map((file) => `${folder}/${String(file)}`),
    );
    // Quoted where it is given: the catalogues' own keys are not. What describes them gives none.
    const given = files
      .filter((file) => file.endsWith('.ts') && !file.startsWith('api/reference/'))
      .flatMap((file) => readFileSync(`${packageRoot}/${file}`, 'utf8').match(/(?<=')[A-Z\d_]+(?=')/g) ?? []);
    const known = [...Object.keys(ERROR_CATALOGUE), ...Object.keys(FIELD_ERRORS)];
    expect(known.filter((code) => !given.includes(code))).to.deep.equal([]);
  });

  it('has the codes and statuses of the contract', () => {
    const contract = {
      UNAUTHENTICATED: 401,
      INSUFFICIENT_SCOPE: 403,
      FORBIDDEN: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      CONFLICT: 409,
      INVALID_TRANSITION: 409,
      IDEMPOTENCY_KEY_REUSED: 422,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      VALIDATION_FAILED: 422,
      MALFORMED_JSON: 400,
      RATE_LIMITED: 429,
      UNAVAILABLE: 503,
    } as const;
    for (const [code, status] of Object.entries(contract)) {
      expect(new AppError(code as keyof typeof contract).status, code).to.equal(status);
    }
  });

  it('says in words what is wrong with which field, and which states do not meet', () => {
    const long = refusal('TOO_LONG', 'must have at most 2 characters', { maximum: 2 });
    expect(invalidField('a.b', long).options.errors).to.deep.equal([
      {
        path: 'a.b',
        code: 'TOO_LONG',
        message: 'must have at most 2 characters',
        params: { maximum: 2 },
      },
    ]);
    const empty = refusal('EMPTY', 'must not be empty');
    expect(invalidField('', empty).message).to.equal('the body must not be empty');
    expect(
      invalidFields([
        { path: 'a', ...empty },
        { path: '', ...empty },
      ]).message,
    ).to.equal('a: must not be empty; the body must not be empty');
    expect(invalidTransition('a', 'b').options.extensions).to.deep.equal({ from: 'a', to: 'b' });
  });
});
