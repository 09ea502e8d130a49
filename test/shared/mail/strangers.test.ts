import { expect } from 'chai';
import { LANGUAGES } from '../../../shared/languages.ts';
import { renderMessage, type Message } from '../../../shared/mail/message.ts';
import { confirmSignUp, invitation } from '../../../shared/mail/messages.ts';

const PUBLIC_URL = 'https://verify.example.com';
const TOKEN = 'a-token-of-the-tests';
const JOINERS = /\u2060/g;

/** What reaches an address that anybody may have typed in, with names that they may choose. */
const toStranger = (
  { organizationName = 'Oliveira', invitedBy = 'Ana' },
  language: (typeof LANGUAGES)[number] = 'en',
): readonly Message[] => [
  confirmSignUp(language, PUBLIC_URL, organizationName, TOKEN),
  invitation(language, PUBLIC_URL, { organizationName, invitedBy, role: 'owner', token: TOKEN }),
];

describe('The mails to strangers', () => {
  it('have no room in a name for a message', () => {
    const name = `Prize: ${'claim it '.repeat(20)}`;
    for (const { paragraphs } of toStranger({ organizationName: name, invitedBy: name })) {
      const [, organization = ''] = /“(.*)”/.exec(paragraphs[0]!) ?? [];
      expect(organization).to.match(/^Prize: claim it .*…$/);
      expect(organization.length).to.be.at.most(65);
      expect(paragraphs[0]!.length).to.be.below(200);
    }
  });

  it('have no link in a name, which looks as it is written', () => {
    const names = { organizationName: 'Prize: https://evil.example/a', invitedBy: 'Ana of evil.example' };
    for (const language of LANGUAGES)
      for (const message of toStranger(names, language)) {
        const { subject, text, html } = renderMessage('bia@example.com', message);
        for (const said of [subject, text, html]) expect(said).not.to.match(/evil\.example|https?:\/\/evil/);
        expect(text.replaceAll(JOINERS, '')).to.include(names.organizationName);
      }
    const [, invited] = toStranger(names);
    expect(invited!.paragraphs[0]!.replaceAll(JOINERS, '')).to.include(names.invitedBy);
  });

  it('name who invites by the address that is theirs, where they have no name', () => {
    const [, invited] = toStranger({ invitedBy: 'ana@oliveira.example' });
    expect(invited!.paragraphs[0]).to.include('ana@oliveira.example');
    // What is shaped like one is no link in an organization's name, and as long as others.
    const organizationName = `${'claim-your-prize-'.repeat(5)}@evil.example`;
    for (const message of [
      ...toStranger({ organizationName }),
      ...toStranger({ organizationName: 'prize@evil.example' }),
    ])
      expect(message.paragraphs[0]).not.to.match(/evil\.example|(claim-your-prize-){5}/);
    const [, disguised] = toStranger({ invitedBy: 'https://x@evil.example' });
    expect(disguised!.paragraphs[0]).not.to.include('evil.example');
  });
});
