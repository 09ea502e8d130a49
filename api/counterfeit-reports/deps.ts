import { deriveKey } from '../../shared/wiring.ts';
import type { ApiDeps } from '../deps.ts';

/** Key of the links to photos. */
export const photoKey = ({ config }: ApiDeps): Buffer =>
  deriveKey(config.API_KEY_PEPPER, 'report-photo-links');
