/** `npm run --silent openapi`: the OpenAPI document on standard output. */
import { openApiDocument } from '../api/reference/openapi.ts';

console.log(JSON.stringify(openApiDocument(process.env.PUBLIC_URL || 'http://localhost:3000'), null, 2));
