import { expect } from 'chai';
import { linksetFor, parseLinkType, resolverDescription } from '../../../shared/gs1/linkset.ts';
import type { TargetLink } from '../../../shared/gs1/linkset.ts';

const item = { gtin: '09506000134352', lot: 'A/7', serial: '1' };
const page: TargetLink = {
  linkType: 'defaultLink',
  href: 'https://id.example.com/v/X',
  title: 'Verify',
  type: 'text/html',
  hreflang: ['en', 'ar'],
};

describe('GS1 linksets', () => {
  it('groups the links of an item by their type under its own address', () => {
    const verify: TargetLink = { ...page, linkType: 'verificationService' };
    const about: TargetLink = { linkType: 'pip', href: 'https://example.com/p', title: 'About' };
    const { linkType: _, ...target } = page;
    expect(linksetFor('https://id.example.com', item, 'Risotto', [page, verify, about])).to.deep.equal({
      linkset: [
        {
          anchor: 'https://id.example.com/01/09506000134352/10/A%2F7/21/1',
          description: 'Risotto',
          itemDescription: 'Risotto',
          'https://gs1.org/voc/defaultLink': [target],
          'https://gs1.org/voc/verificationService': [target],
          'https://gs1.org/voc/pip': [{ href: 'https://example.com/p', title: 'About' }],
        },
      ],
    });
  });

  it('insists on one default link', () => {
    expect(() => linksetFor('https://id.example.com', item, 'Risotto', [])).to.throw(RangeError);
    expect(() => linksetFor('https://id.example.com', item, 'Risotto', [page, page])).to.throw(RangeError);
  });

  it('reads link types in each of their spellings', () => {
    for (const text of [
      'gs1:pip',
      'pip',
      'https://gs1.org/voc/pip',
      'https://ref.gs1.org/voc/pip',
      'https://www.gs1.org/voc/pip',
    ])
      expect(parseLinkType(text), text).to.equal('pip');
    expect(['linkset', 'all'].map(parseLinkType)).to.deep.equal(['linkset', 'linkset']);
    expect(parseLinkType('gs1:instructions')).to.equal('instructions');
    for (const text of [
      '',
      'gs1:',
      'gs1:a b',
      'gs1:linkset',
      'schema:pip',
      '__proto__',
      'https://example.com/voc/pip',
    ])
      expect(parseLinkType(text), text).to.equal(null);
  });

  it('describes the resolver', () => {
    expect(resolverDescription('https://id.example.com', 'Touchstone')).to.deep.equal({
      name: 'Touchstone',
      resolverRoot: 'https://id.example.com',
      supportedPrimaryKeys: ['01'],
      supportedLinkType: [
        { namespace: 'https://gs1.org/voc/', prefix: 'gs1:' },
        { namespace: 'https://ref.gs1.org/voc/', prefix: 'gs1:' },
      ],
      linkTypeDefaultCanBeLinkset: false,
      jsonLdContextLocation: 'https://ref.gs1.org/standards/resolver/linkset-context',
    });
  });
});
