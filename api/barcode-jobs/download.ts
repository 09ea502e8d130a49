/** Files that jobs made, behind a signed link: no key is needed, the link is the credential. Ranges work, so a download resumes. */
import { Router } from 'express';
import { getArtifact } from '../../shared/barcode-jobs/service.ts';
import type { Db } from '../../shared/db.ts';
import { AppError } from '../../shared/errors.ts';
import { decodeId, requireId } from '../../shared/ids.ts';
import { EXPORT_ID_PREFIXES, EXPORT_KINDS } from '../../shared/exports/kinds.ts';
import { getExportFile } from '../../shared/exports/service.ts';
import type { ApiDeps } from '../deps.ts';
import { sendObject } from '../send-stream.ts';

interface Range {
  start: number;
  end: number;
}

/** One range of bytes, both ends included. @returns null for none or a form that may be ignored (RFC 9110 §14.2). */
function parseRange(header: string | undefined, bytes: number): Range | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  const isSuffix = match[1] === '';
  const start = isSuffix ? Math.max(0, bytes - Number(match[2])) : Number(match[1]);
  const end = isSuffix || match[2] === '' ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  return start > end || start >= bytes ? 'unsatisfiable' : { start, end };
}

/** @returns null where the id is of no export. @throws AppError NOT_FOUND */
async function exportFile(db: Db, id: string, name: string) {
  for (const kind of EXPORT_KINDS) {
    const exportId = decodeId(EXPORT_ID_PREFIXES[kind], id);
    if (exportId !== null) return getExportFile(db, kind, exportId, name);
  }
  return null;
}

export function artifactDownloads({ clock, db, links, log, storage }: ApiDeps): Router {
  const router = Router();
  router.get('/artifacts/:jobId/:name', async (req, res) => {
    const { jobId, name } = req.params;
    const { expires, signature } = req.query;
    const signed = typeof expires === 'string' && typeof signature === 'string';
    if (!signed || !links.verify(jobId, name, expires, signature, clock.now())) {
      throw new AppError('FORBIDDEN', {
        detail: 'this link is not valid any more; read the job for a new one',
      });
    }
    const artifact =
      (await exportFile(db, jobId, name)) ?? (await getArtifact(db, requireId('job', jobId), name));
    res.setHeader('Accept-Ranges', 'bytes');
    res.setHeader('Content-Type', artifact.media_type);
    res.setHeader('Content-Disposition', `attachment; filename="${artifact.name}"`);
    res.setHeader('ETag', `"${artifact.sha256}"`);
    res.setHeader('Cache-Control', 'private, max-age=0');
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    // Of GET alone, and of the file that the client has a part of (RFC 9110 §13.1.5, §14.2).
    const ifRange = req.get('if-range');
    const isAsked = req.method === 'GET' && (ifRange === undefined || ifRange === `"${artifact.sha256}"`);
    const range = isAsked ? parseRange(req.get('range'), artifact.bytes) : null;
    if (range === 'unsatisfiable') {
      res.status(416).setHeader('Content-Range', `bytes */${artifact.bytes}`).end();
      return;
    }
    if (range !== null) {
      res.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${artifact.bytes}`);
    }
    res.setHeader('Content-Length', range === null ? artifact.bytes : range.end - range.start + 1);
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    await sendObject(res, { storage, log }, artifact.storage_key, range ?? undefined);
  });
  return router;
}
