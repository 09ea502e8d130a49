/** The storage that the configuration asks for. */
import type { Config } from '../config.ts';
import { createLocalStorage } from './local-storage.ts';
import type { Storage } from './storage.ts';

export type StorageConfig = Pick<
  Config,
  | 'STORAGE_DIR'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_ADDRESSING'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PREFIX'
>;

/** Local files, or S3 where a bucket is named. The SDK is only loaded then: it takes 40 MB. */
export async function createStorage(config: StorageConfig): Promise<Storage> {
  if (config.S3_BUCKET === undefined) return createLocalStorage(config.STORAGE_DIR);
  const { createS3Storage } = await import('./s3-storage.ts');
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return createS3Storage({
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    prefix: config.S3_PREFIX,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT }),
    ...(config.S3_ADDRESSING === undefined ? {} : { addressing: config.S3_ADDRESSING }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  });
}
