import { expect } from 'chai';
import * as fc from 'fast-check';
import { fillHtml, html, mailLink, renderHtml, webLink } from '../../api/html.ts';

describe('the html template', () => {
  it('escapes what is put in, in text and in attributes', () => {
    const evil = `"><script>alert('1')</script>&\``;
    const page = renderHtml(html`<p title="${evil}">${evil}</p>`);
    const safe = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&#96;';
    expect(page).to.equal(`<p title="${safe}">${safe}</p>`);
  });

  it('lets no text whatever open a tag or close an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inside = renderHtml(html`${text}`);
        expect(inside).not.to.match(/[<>"'`]/);
      }),
      { seed: 3 },
    );
  });

  it('takes its own markup and lists of it as they are, and prints nothing for nothing', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    const list = html`<b>${items}${null}${undefined}${false}${0}</b>`;
    expect(renderHtml(list)).to.equal('<b><li>a</li><li>&lt;b&gt;</li>0</b>');
  });

  it('leaves out the indentation of the source, and of nothing else', () => {
    const source = Object.assign(['<p>\n      ', '\n    </p>'], { raw: [] });
    expect(renderHtml(html(source, 'a\n  b'))).to.equal('<p>\na\n  b\n</p>');
  });

  it('takes an object that only looks like markup for no markup', () => {
    const forged = JSON.parse('{"markup":"<script>"}');
    expect(() => renderHtml(html`${forged}`)).to.throw(TypeError);
  });

  it('fills sentences, escaping both', () => {
    const sentence = fillHtml('{a} & {b}', { a: '<x>', b: html`<b>y</b>` });
    expect(renderHtml(sentence)).to.equal('&lt;x&gt; &amp; <b>y</b>');
    expect(() => fillHtml('{toString}', {})).to.throw(RangeError);
  });
});

describe('safe links', () => {
  it('passes web addresses and refuses every other scheme', () => {
    expect(webLink('https://example.com/a?b=c d')).to.equal('https://example.com/a?b=c%20d');
    expect(webLink('http://127.0.0.1:3000/')).to.equal('http://127.0.0.1:3000/');
    const refused = [
      ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
      ['data:text/html,<script>', 'vbscript:x', 'file:///etc/passwd', 'ftp://example.com', 'blob:https://x'],
      [
        '//example.com',
        '/path',
        'example.com',
        '',
        'https://',
        'https://user@example.com/',
        'https://:secret@example.com/',
      ],
    ].flat();
    for (const address of refused) expect(webLink(address), address).to.equal(null);
    expect(webLink(null)).to.equal(null);
  });

  it('passes a bare mail address and smuggles no header', () => {
    expect(mailLink('care@example.com')).to.equal('mailto:care@example.com');
    expect(mailLink("o'neil+a%b@example.com")).to.equal("mailto:o'neil%2Ba%25b@example.com");
    const refused = [
      '',
      'care',
      'a@b?bcc=c@d',
      'a@b&c',
      'a b@c',
      'a@b@c',
      'a@b,c@d',
      'javascript:a@b',
      '"a"@b',
      'a@<b>',
    ];
    for (const address of refused) expect(mailLink(address), address).to.equal(null);
  });
});
