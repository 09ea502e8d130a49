import { ApiError, type FieldError } from '../../api/errors.ts';

/**
 * The service forbids what takes the current password where that is wrong, and names no field: this names it, so that the message
 * stands where it is mended. One's own account is forbidden to nobody for another reason.
 */
export const atPassword =
  (field: string, words: string) =>
  (failure: unknown): never => {
    if (!(failure instanceof ApiError) || failure.code !== 'FORBIDDEN') throw failure;
    const { status, code, message, requestId } = failure;
    // Among the refusals of fields it has no words, so that these are shown.
    const refused = { path: field, code: code as string as FieldError['code'], message: words, params: {} };
    throw new ApiError({ status, code, message, requestId, fields: [refused] });
  };
