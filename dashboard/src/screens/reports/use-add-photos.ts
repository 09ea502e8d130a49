import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import { notifyError, notifyRefused } from '../../components/notify.ts';
import { errorWords } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

const PATH = '/api/v1/counterfeit-reports/{id}/photos';

export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp';

/** What is wrong with one file, and nothing with the next. */
const isOfFile = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'VALIDATION_FAILED' || error.code === 'PAYLOAD_TOO_LARGE');

/**
 * Adds photos to a report, one at a time: on a poor line those that arrived are there. Says which were not added, and why; once
 * the line or the service fails, none of the others is tried.
 * One that is sent again is not there twice.
 */
export function useAddPhotos(): (reportId: string, photos: readonly File[]) => Promise<void> {
  const { t } = useTranslation('reports');
  const inWords = useRefusalWords();
  const formats = useFormats();
  const client = useQueryClient();
  return async (reportId, photos) => {
    let done = 0;
    try {
      for (const photo of photos) {
        const body = new FormData();
        body.set('photos', photo);
        try {
          await api.post(PATH, { path: { id: reportId }, body: body as never });
        } catch (error) {
          if (!isOfFile(error)) throw error;
          const [field] = error.fields;
          const why = field === undefined ? errorWords(error, t).advice : inWords(field);
          notifyRefused(t('photoNotAdded', { name: photo.name }), why);
        }
        done += 1;
      }
    } catch (error) {
      const names = formats.list(photos.slice(done).map(({ name }) => name));
      notifyError(error, t('photosNotAdded', { names }));
    } finally {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v1/counterfeit-reports'),
      });
    }
  };
}
