/** What Express alone can do here: one route, one small JSON answer. Prints its port; ends with its standard input. */
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.get('/hello', (_req, res) => {
  res.json({ hello: 'world' });
});
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
