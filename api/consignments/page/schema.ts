import { z } from 'zod';
import { MAX_NAMED } from '../../../shared/consignments/receive.ts';
import { CONSIGNMENT_STATUSES } from '../../../shared/consignments/service.ts';
import { withoutInnerSpaces } from '../../../shared/gs1/element-string.ts';
import { text } from '../../fields.ts';
import { instant } from '../../list.ts';
import { receiptFields } from '../schema.ts';
import type { Entered } from './render.ts';

/** What the distributor confirms; the name is asked for, as nobody signs in. */
export const publicReceiveBody = z.strictObject({ ...receiptFields, name: text(200) });

/** Characters of a list of units: as many as may be named, each with a line break. A scanned address has some sixty, with `/01/…` eighty. */
export const MAX_LIST_TEXT = MAX_NAMED * 100;

const formText = z.string().max(MAX_LIST_TEXT).default('');

/** The same as a form sends it: text, lists a line each. */
export const receiveForm = z.strictObject({
  lang: formText,
  receivedCount: formText,
  missing: formText,
  damaged: formText,
  name: formText,
  note: formText,
});

/** Also as Japanese, Chinese and Arabic keyboards write commas and semicolons; the ideographic space is white space as it is. */
const SEPARATORS = /[\s,;，；、､،؛]+/;

const linesOf = (value: string): string[] =>
  withoutInnerSpaces(value)
    .split(SEPARATORS)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Digits of the languages that the page speaks, as the pattern of its field takes them. */
export const COUNT_PATTERN = '[0-9０-９٠-٩۰-۹]*';
const ARABIC_DIGITS = /[٠-٩۰-۹]/g;

/** Text of a count with plain digits: full-width ones are NFKC's, Arabic ones their own code points. */
const plainDigits = (text: string): string =>
  text
    .trim()
    .normalize('NFKC')
    // Both rows of ten begin where the last four bits are zero.
    .replaceAll(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));

function countOf(text: string): number | string | null {
  const plain = plainDigits(text);
  if (plain === '') return null;
  // Left as text where it is no number, so that it is refused with its field's name.
  return /^\d+$/.test(plain) ? Number(plain) : text;
}

/** What the form means, for `publicReceiveBody` to judge. */
export const fromForm = (form: Entered) => ({
  receivedCount: countOf(form.receivedCount),
  missing: linesOf(form.missing),
  damaged: linesOf(form.damaged),
  name: form.name,
  note: form.note.trim() === '' ? null : form.note,
});

/** What a distributor may see: nothing of the organization's own records. */
export const publicConsignmentSchema = z
  .object({
    status: z.enum(CONSIGNMENT_STATUSES),
    from: z.string(),
    reference: z.string().nullable(),
    sscc: z.string().nullable(),
    unitCount: z.number().int(),
    contents: z.array(z.object({ name: z.string(), units: z.number().int() })),
    receipt: z
      .object({
        receivedCount: z.number().int(),
        missingCount: z.number().int(),
        damagedCount: z.number().int(),
        counted: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'What was counted, where that was told; above `unitCount` too' }),
        receivedAt: instant,
      })
      .nullable(),
  })
  .meta({ id: 'DistributorConsignment' });
