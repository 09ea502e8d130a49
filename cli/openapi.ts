/** `npm run --silent openapi`: the OpenAPI document on standard output. */
import { openApiDocument } from '../api/reference/openapi.ts';
import { print } from './standard-output.ts';

print(JSON.stringify(openApiDocument(process.env.PUBLIC_URL || '/'), null, 2));
