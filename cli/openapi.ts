/** `npm run --silent openapi`: the OpenAPI document on standard output, for `PUBLIC_URL` as the service itself has it. */
import { openApiDocument } from '../api/reference/openapi.ts';
import { SETTINGS } from '../shared/config.ts';
import { givenValue } from '../shared/setting-values.ts';
import { print } from './standard-output.ts';

const given = givenValue(process.env.PUBLIC_URL);
const publicUrl = given === undefined ? undefined : SETTINGS.PUBLIC_URL.schema.safeParse(given);
if (publicUrl?.success === false) {
  console.error(`error: PUBLIC_URL: ${publicUrl.error.issues.map(({ message }) => message).join('; ')}`);
  process.exitCode = 1;
} else print(JSON.stringify(openApiDocument(publicUrl?.data ?? '/'), null, 2));
