import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { isQuiet } from '../../../api/verify/quiet.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const GTIN = '09506000134352';
/** What a browser says of a script's `fetch` on another site's page. */
const FOREIGN_FETCH = {
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-dest': 'empty',
};

const isQuietWith = (headers: Record<string, string>) =>
  isQuiet({ method: 'GET', url: '/v/X', headers } as unknown as IncomingMessage);
const isQuietFor = (agent: string) => isQuietWith({ 'user-agent': agent });

describe('requests that are no scans', () => {
  it('are those of fetchers that preview a link, by the whole of what they call themselves', () => {
    for (const agent of [
      'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
      'MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview',
      'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
      'GoogleMessages',
      'FastmailUA/1.0',
      'Mozilla/5.0 (compatible; VKRobot/1.0)',
      'Mozilla/5.0 (compatible; OdklBot/1.0 like Linux; klass@odnoklassniki.ru)',
      'GroupMeBot/1.0',
      'Mozilla/5.0 (compatible; KeybaseBot; +https://keybase.io)',
      'Valve/Steam HTTP Client 1.0 (SteamChatURLLookup)',
      'DingTalkBot-LinkService/1.0 (+https://open-doc.dingtalk.com/microapp/faquestions/ftpfeu)',
      'Chatwork LinkPreview v1',
      'GG PeekBot 2.0 ( https://www.gg.pl/ https://www.gg.pl/info/praca/ )',
      'SummalyBot/5.1.0',
      'Nextcloud Server Crawler',
      'Nextcloud-Server-Crawler/33.0.1',
      'Discourse Forum Onebox v3.3.0.beta1-dev',
      'Lemmy/0.19.8; +https://lemmy.example',
      'Pleroma 2.9.1; https://pleroma.example <admin@pleroma.example>; Bot',
      'Akkoma 3.15.2; https://akkoma.example <admin@akkoma.example>; Bot',
      "Friendica 'The Tazmans Flax-lily' 2019.01-1293; https://friendica.example",
      'WhatsApp',
      'WhatsApp/2.23.20.0 A',
      'Viber',
    ])
      expect([agent, isQuietFor(agent)]).to.deep.equal([agent, true]);
  });

  it('are not those of browsers within the same makers’ apps', () => {
    const android =
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0';
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    for (const agent of [
      `${android} Chrome/122.0 Mobile Safari/537.36 WhatsApp/2.24.6.77`,
      `${iphone} Mobile/21E236 WhatsApp/24.6.77`,
      `${android} Chrome/122.0 Mobile Safari/537.36 Viber/21.9`,
      `${iphone} Mobile/21E236 Safari Line/14.3.0`,
      `${android} Chrome/122.0 Mobile Safari/537.36;KAKAOTALK 2410640`,
      `${iphone} Mobile/15E148 MicroMessenger/8.0.47(0x18002f2f) NetType/WIFI Language/de`,
      `${android} Chrome/122.0 MQQBrowser/6.2 Mobile Safari/537.36 V1_AND_SQ_9.0.20_5844_YYB_D QQ/9.0.20.14025`,
      `${android} Chrome/122.0 Mobile Safari/537.36 AliApp(DingTalk/7.5.10) com.alibaba.android.rimet/31915`,
      `${android} Chrome/122.0 Mobile Safari/537.36 (Mobile; Nextcloud Talk)`,
      `${android} Chrome/122.0 Mobile Safari/537.36 GSA/15.10`,
      `${android} Chrome/122.0 Mobile Safari/537.36 TeamsMobile-Android`,
      `${iphone} Mobile/21E236 VKAndroidApp/8.50`,
    ])
      expect([agent, isQuietFor(agent)]).to.deep.equal([agent, false]);
  });

  it('are those of what a page embeds or a browser fetches ahead, and not what its window shows', () => {
    const fetched = (dest: string, mode: string, site: string) => ({
      'sec-fetch-dest': dest,
      'sec-fetch-mode': mode,
      'sec-fetch-site': site,
    });
    for (const [headers, expected] of [
      [fetched('document', 'navigate', 'none'), false],
      [fetched('document', 'navigate', 'cross-site'), false],
      [fetched('empty', 'cors', 'same-origin'), false],
      [fetched('empty', 'cors', 'cross-site'), true],
      [fetched('empty', 'no-cors', 'cross-site'), true],
      [fetched('image', 'no-cors', 'same-site'), true],
      [fetched('iframe', 'navigate', 'cross-site'), true],
      [{ ...fetched('document', 'navigate', 'none'), 'sec-purpose': 'prerender' }, true],
      [{ purpose: 'prefetch' }, true],
      [{ 'x-purpose': 'preview' }, true],
      [{ 'x-moz': 'prefetch' }, true],
      [{ purpose: 'anything else' }, false],
    ] as [Record<string, string>, boolean][])
      expect([headers, isQuietWith(headers)]).to.deep.equal([headers, expected]);
  });

  describe('of another site’s script', () => {
    let stand: Stand;
    let unit: MintedUnit;

    before(async () => {
      stand = await startStand();
      unit = await stand.mintUnit({ gtin: GTIN, serial: 'S-1' });
    });
    after(() => stand?.close());

    /** As it is written: `fetch` would tidy the target. */
    const scanIdFor = async (target: string, headers: Record<string, string>) => {
      const { port } = new URL(stand.origin);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: target, headers }, resolve).on('error', reject).end();
      });
      expect([target, answer.statusCode]).to.deep.equal([target, 200]);
      return (JSON.parse(await text(answer)) as { scanId: string | null }).scanId;
    };

    it('are all for a token, under `/V/` as it is printed and whatever else is taken for it', async () => {
      for (const target of [
        `/v/${unit.token}`,
        `/V/${unit.token}`,
        `/V/${unit.token.toLowerCase()}/`,
        `/V/${unit.token}?lang=de`,
        `http://verify.example/v/${unit.token}`,
        `HTTP://VERIFY.EXAMPLE/V/${unit.token}`,
        `/v\\${unit.token}#`,
      ])
        for (const accept of ['application/json', 'application/json, text/html;q=0.5']) {
          const scanId = await scanIdFor(target, { ...FOREIGN_FETCH, accept });
          expect([target, scanId]).to.deep.equal([target, null]);
        }
      const { rows } = await stand.database.pool.query('select count(*)::int as n from scans');
      expect(rows).to.deep.equal([{ n: 0 }]);
    });

    it('are all for a GS1 Digital Link, too, and none where its own site’s script asks', async () => {
      expect(await scanIdFor(`/01/${GTIN}/21/S-1`, FOREIGN_FETCH)).to.equal(null);
      const own = { ...FOREIGN_FETCH, 'sec-fetch-site': 'same-origin' };
      expect(await scanIdFor(`/V/${unit.token}`, own)).to.match(/^scan_/);
    });

    it('/robots.txt keeps crawlers from every way to write a code’s address', async () => {
      const lines = (await (await fetch(`${stand.origin}/robots.txt`)).text()).split('\n');
      const rules = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
      for (const path of [`/v/${unit.token}`, `/V/${unit.token}`, `/01/${GTIN}/21/S-1`, '/c/X'])
        expect([path, rules.some((rule) => path.startsWith(rule))]).to.deep.equal([path, true]);
    });
  });
});
