/** Words for the two mistakes that callers make most, where zod's own are made for programmers. */
import { z } from 'zod';

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
    if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
      return 'must not be empty';
    return undefined;
  },
});
