import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { newSession, sessionOf } from '../../../api/verify/session.ts';

const HTTPS = 'https://verify.example';
const HTTP = 'http://localhost:3000';
const VALUE = 'a-_4567890123456789012';

const sessionFrom = (cookie: string | undefined, publicUrl: string) =>
  sessionOf({ headers: { cookie } } as IncomingMessage, publicUrl);

describe('the session of a visitor', () => {
  it('is a cookie of this very host over HTTPS, and a plain one where there is none', () => {
    expect(newSession(HTTPS).cookie).to.match(
      /^__Host-visit=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(newSession(HTTP).cookie).to.match(/^visit=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('is known again by its cookie, among others, and never by one that another host could have set', () => {
    const made = newSession(HTTPS);
    const [own] = made.cookie.split(';');
    const again = { id: made.id, isNew: false, cookie: made.cookie };
    const many = Array.from({ length: 49 }, (_, i) => `other${i}=x; `).join('');
    for (const cookie of [
      own,
      `lang=de; ${own}`,
      `lang=de;${own}; theme=dark`,
      `__Host-visit=short; ${own}`,
      many + own,
    ])
      expect(sessionFrom(cookie, HTTPS), cookie).to.deep.equal(again);
    expect(sessionFrom(`visit=${VALUE}`, HTTP)).to.include({ isNew: false });
    for (const cookie of [undefined, '', 'lang', `visit=${VALUE}`, `__Host-visit=${VALUE}x`, '__Host-visit'])
      expect(sessionFrom(cookie, HTTPS), cookie).to.equal(null);
  });

  it('is named by a hash from which no cookie can be made', () => {
    const { id } = sessionFrom(`__Host-visit=${VALUE}`, HTTPS)!;
    expect(id)
      .to.match(/^[\w-]{22}$/)
      .and.not.equal(VALUE);
    expect(sessionFrom(`__Host-visit=${id}`, HTTPS)!.id).not.to.equal(id);
  });
});
