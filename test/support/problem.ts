import { expect } from 'chai';
import { ERROR_CATALOGUE, type ErrorCode } from '../../shared/errors.ts';
import { FIELD_ERRORS, type FieldError } from '../../shared/field-errors.ts';

interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

export interface Problem {
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: FieldError[];
  [member: string]: unknown;
}

/** Asserts a whole problem document of this code. @returns it. */
export function expectProblem({ status, body, headers }: Answer, code: ErrorCode): Problem {
  const problem = body as Problem;
  expect({ status, code: problem.code }, JSON.stringify(body)).to.deep.equal({
    status: ERROR_CATALOGUE[code].status,
    code,
  });
  expect(headers['content-type']).to.match(/^application\/problem\+json/);
  expect(problem).to.include({ status, title: ERROR_CATALOGUE[code].title });
  expect(problem['type']).to.match(/^urn:touchstone:error:[a-z-]+$/);
  expect(problem.detail).to.be.a('string').and.not.equal('');
  expect(problem.requestId).to.equal(headers['x-request-id']);
  for (const error of problem.errors ?? []) {
    const known: { means: string; params?: readonly string[] } | undefined = FIELD_ERRORS[error.code];
    expect(known, JSON.stringify(error)).to.not.equal(undefined);
    expect(Object.keys(error.params ?? {}), error.code).to.have.members([...(known!.params ?? [])]);
  }
  // Nothing of the inside may show.
  expect(JSON.stringify(problem)).not.to.match(
    /node_modules|\.ts:|\bat \w+ \(|select |insert into|SQLSTATE/i,
  );
  return problem;
}
