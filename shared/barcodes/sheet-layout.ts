import { refusal, type FieldError } from '../field-errors.ts';

/** How labels lie on a page; all lengths in millimetres. */
export interface SheetLayout {
  readonly pageWidth: number;
  readonly pageHeight: number;
  readonly columns: number;
  readonly rows: number;
  readonly labelWidth: number;
  readonly labelHeight: number;
  /** Space between neighbouring labels; 0 when not given. */
  readonly gapX?: number;
  readonly gapY?: number;
  /** From the page's edge to the first label; so that the labels are centred, when not given. */
  readonly marginLeft?: number;
  readonly marginTop?: number;
}

const A4 = { pageWidth: 210, pageHeight: 297 };
const LETTER = { pageWidth: 215.9, pageHeight: 279.4 };

/** Sheets in common use, by the maker's numbers; dimensions as published, all of them centred on the page. */
export const SHEET_PRESETS = {
  'a4-avery-l7159': { ...A4, columns: 3, rows: 8, labelWidth: 63.5, labelHeight: 33.9, gapX: 2.54 },
  'a4-avery-l7160': { ...A4, columns: 3, rows: 7, labelWidth: 63.5, labelHeight: 38.1, gapX: 2.54 },
  'a4-avery-l7163': { ...A4, columns: 2, rows: 7, labelWidth: 99.1, labelHeight: 38.1, gapX: 2.5 },
  'a4-avery-l7651': { ...A4, columns: 5, rows: 13, labelWidth: 38.1, labelHeight: 21.2, gapX: 2.5 },
  'a4-single': { ...A4, columns: 1, rows: 1, labelWidth: 190, labelHeight: 277 },
  'letter-avery-5160': {
    ...LETTER,
    columns: 3,
    rows: 10,
    labelWidth: 66.675,
    labelHeight: 25.4,
    gapX: 3.175,
  },
  'letter-avery-5163': { ...LETTER, columns: 2, rows: 5, labelWidth: 101.6, labelHeight: 50.8, gapX: 4.7625 },
  'letter-avery-5167': {
    ...LETTER,
    columns: 4,
    rows: 20,
    labelWidth: 44.45,
    labelHeight: 12.7,
    gapX: 7.9375,
  },
} as const satisfies Record<string, SheetLayout>;

export type SheetPreset = keyof typeof SHEET_PRESETS;

/** A layout with gaps and margins filled in, in points (1/72 inch). */
export type SheetPoints = Required<SheetLayout>;

export const POINTS_PER_MM = 72 / 25.4;

export function sheetPoints(layout: SheetLayout): SheetPoints {
  const { gapX = 0, gapY = 0 } = layout;
  const across = layout.columns * (layout.labelWidth + gapX) - gapX;
  const down = layout.rows * (layout.labelHeight + gapY) - gapY;
  const { marginLeft = (layout.pageWidth - across) / 2, marginTop = (layout.pageHeight - down) / 2 } = layout;
  return {
    columns: layout.columns,
    rows: layout.rows,
    pageWidth: layout.pageWidth * POINTS_PER_MM,
    pageHeight: layout.pageHeight * POINTS_PER_MM,
    labelWidth: layout.labelWidth * POINTS_PER_MM,
    labelHeight: layout.labelHeight * POINTS_PER_MM,
    gapX: gapX * POINTS_PER_MM,
    gapY: gapY * POINTS_PER_MM,
    marginLeft: marginLeft * POINTS_PER_MM,
    marginTop: marginTop * POINTS_PER_MM,
  };
}

/** What is wrong with a layout; empty when its labels lie on the page. Paths are the members' names. */
export function validateSheetLayout(layout: SheetLayout): FieldError[] {
  const errors: FieldError[] = [];
  const inRange = (path: keyof SheetLayout, least: number, most: number, whole = false): void => {
    const value = layout[path];
    if (value === undefined) return;
    if (Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value)))
      return;
    const message = `must be a ${whole ? 'whole number' : 'length in mm'} from ${least} to ${most}`;
    errors.push({ path, ...refusal('OUT_OF_RANGE', message, { minimum: least, maximum: most }) });
  };
  inRange('pageWidth', 20, 1200);
  inRange('pageHeight', 20, 1200);
  inRange('columns', 1, 50, true);
  inRange('rows', 1, 100, true);
  inRange('labelWidth', 8, 1200);
  inRange('labelHeight', 8, 1200);
  for (const path of ['gapX', 'gapY', 'marginLeft', 'marginTop'] as const) inRange(path, 0, 200);
  if (errors.length > 0) return errors;

  const points = sheetPoints(layout);
  // A tenth of a point forgives the rounding of published sizes.
  const right = points.marginLeft + points.columns * (points.labelWidth + points.gapX) - points.gapX;
  const bottom = points.marginTop + points.rows * (points.labelHeight + points.gapY) - points.gapY;
  if (right > points.pageWidth + 0.1) {
    errors.push({ path: 'columns', ...refusal('LABELS_TOO_WIDE', 'the labels are wider than the page') });
  }
  if (bottom > points.pageHeight + 0.1) {
    errors.push({ path: 'rows', ...refusal('LABELS_TOO_TALL', 'the labels are taller than the page') });
  }
  return errors;
}

/** The box of a label on its page, in points from the lower left corner; `place` counts row by row. */
export function labelBox(sheet: SheetPoints, place: number) {
  const column = place % sheet.columns;
  const row = Math.floor(place / sheet.columns);
  return {
    x: sheet.marginLeft + column * (sheet.labelWidth + sheet.gapX),
    y: sheet.pageHeight - sheet.marginTop - row * (sheet.labelHeight + sheet.gapY) - sheet.labelHeight,
    width: sheet.labelWidth,
    height: sheet.labelHeight,
  };
}
