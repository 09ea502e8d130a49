/** `npm run --silent openapi`: the OpenAPI document on standard output. */
import { openApiDocument } from '../api/reference/openapi.ts';

console.log(JSON.stringify(openApiDocument(process.env.PUBLIC_URL || '/'), null, 2));
