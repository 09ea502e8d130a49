/** Starts private services in the folder given, says so, and waits to be killed. */
import { startServices } from '../../../launcher/services.ts';

const services = await startServices({ dataDir: process.argv[2]!, log: console.log, env: {} });
console.log(JSON.stringify(services));
setInterval(() => undefined, 60_000);
