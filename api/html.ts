/**
 * HTML by tagged template: whatever is put in is escaped, unless it came out of `html` itself.
 *
 *   html`<p title="${title}">${paragraphs.map((text) => html`<b>${text}</b>`)}</p>`
 *
 * Attribute values must be quoted, and addresses must pass `webLink` or `mailLink` first: escaping alone lets
 * `javascript:` through.
 */

import { parseUrl } from '../shared/parse-url.ts';

const markup = Symbol('markup');

/** Finished markup; only this module can make it. */
export interface Html {
  readonly [markup]: string;
}

/** `null`, `undefined` and `false` print nothing, so that `condition && html…` reads well. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const fixed = withoutIndentation(strings);
  let text = fixed[0]!;
  for (let i = 0; i < values.length; i++) text += toMarkup(values[i]) + fixed[i + 1]!;
  return { [markup]: text };
}

const dense = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The indentation of the source is a fifth of a page and nothing to a browser. Done once for each template. */
function withoutIndentation(strings: TemplateStringsArray): readonly string[] {
  let fixed = dense.get(strings);
  if (!fixed) {
    fixed = strings.map((text) => text.replace(/\n\s*/g, '\n'));
    dense.set(strings, fixed);
  }
  return fixed;
}

/** The text to send. */
export function renderHtml(value: Html): string {
  return value[markup];
}

/**
 * Fills `{name}` in a translated sentence. The sentence and plain values are escaped.
 * @throws RangeError when the sentence names a value that is not given: a mistake in a catalogue, found by its test.
 */
export function fillHtml(sentence: string, values: Readonly<Record<string, string | number | Html>>): Html {
  const parts = sentence.split(/\{(\w+)\}/);
  const text = parts.map((part, i) => {
    if (i % 2 === 0) return toMarkup(part);
    const value = Object.hasOwn(values, part) ? values[part] : undefined;
    if (value === undefined) throw new RangeError(`no value for {${part}}`);
    return toMarkup(value);
  });
  return { [markup]: text.join('') };
}

/** @returns the normalized address when it is http or https, without credentials; null for anything else. */
export function webLink(address: string | null | undefined): string | null {
  const url = parseUrl(address ?? '');
  if (url === null) return null;
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : null;
}

/** @returns `mailto:` with the address alone (no headers may be smuggled in), or null when it is no mail address. */
export function mailLink(address: string | null | undefined): string | null {
  if (!address || address.length > 254 || !/^[^\s@?&#"<>,;:]+@[^\s@?&#"<>,;:]+$/.test(address)) return null;
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return value.replace(/[&<>"'`]/g, (character) => ENTITIES[character]!);
  if (typeof value === 'number') return String(value);
  if (markup in value) return value[markup];
  return value.map(toMarkup).join('');
}
