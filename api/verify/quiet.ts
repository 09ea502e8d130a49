/** Requests that are answered but are no scans: nobody holds the product in the hand. */
import type { IncomingMessage } from 'node:http';

/**
 * Fetchers that draw the preview of a link in a chat or a mail, by what they call themselves anywhere in `User-Agent`. In-app browsers
 * of the same makers (`Snapchat/13.3`, `Line/14.0`, `[FBAN/FBIOS`, `Viber/20` behind `Safari`) are people: no name here may be a part of
 * theirs. `docs/verification.md` lists the same; a test holds the two together. None is to be trusted for more than this: who
 * pretends to be one is answered without a scan, and so without any effect.
 */
export const PREVIEW_FETCHERS = [
  'facebookexternalhit',
  'Facebot',
  'meta-externalfetcher',
  'TelegramBot',
  'Twitterbot',
  'Slackbot',
  'Slack-ImgProxy',
  'Discordbot',
  'LinkedInBot',
  'SkypeUriPreview',
  'Microsoft-Teams',
  'MicrosoftPreview',
  'Line-Poker',
  'kakaotalk-scrap',
  'Snap URL Preview Service',
  'Snapchat Creative Kit Web Share',
  'Bluesky Cardyb',
  'redditbot',
  'Pinterestbot',
  'vkShare',
  'VKRobot',
  'OdklBot',
  'GroupMeBot',
  'KeybaseBot',
  'SteamChatURLLookup',
  'DingTalkBot-LinkService',
  'Chatwork LinkPreview',
  'GG PeekBot',
  'Mastodon',
  'SummalyBot',
  'Mattermost-Bot',
  'ZulipURLPreview',
  'Nextcloud-Server-Crawler',
  'Nextcloud Server Crawler',
  'Discourse Forum Onebox',
  'Iframely',
  'Embedly',
  'GoogleImageProxy',
  'Google-PageRenderer',
  'Google-Safety',
  'GoogleMessages',
  'YahooMailProxy',
  'Yahoo Link Preview',
  'FastmailUA',
  'BingPreview',
  'Applebot',
] as const;

/** Fetchers whose names in-app browsers may have too, but not at the beginning, where every browser says `Mozilla/5.0`. */
export const PREVIEW_FETCHERS_FIRST = [
  'WhatsApp',
  'Viber',
  'Rocket.Chat/',
  'Synapse/',
  'Synapse (bot',
  'Lemmy/',
  'Pleroma',
  'Akkoma',
  'Friendica',
] as const;

/** Crawlers of search engines and of models that do not heed `/robots.txt`, or had the address from elsewhere. */
export const CRAWLERS = [
  'Googlebot',
  'Google-InspectionTool',
  'bingbot',
  'DuckDuckBot',
  'YandexBot',
  'Baiduspider',
  'PetalBot',
  'GPTBot',
  'OAI-SearchBot',
  'ClaudeBot',
  'PerplexityBot',
  'CCBot',
  'Bytespider',
  'Amazonbot',
  'meta-externalagent',
  'AhrefsBot',
  'SemrushBot',
  'MJ12bot',
  'DotBot',
] as const;

const literally = (name: string) => name.replaceAll(/[.()]/g, '\\$&');
const NOBODY = new RegExp(
  [...PREVIEW_FETCHERS, ...CRAWLERS]
    .map(literally)
    .concat(PREVIEW_FETCHERS_FIRST.map((name) => `^${literally(name)}`))
    .join('|'),
  'i',
);

/** @see https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header; the others are older browsers'. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a browser fetches for a page what nobody then looks at: an image, a style, a frame, which we let nobody show, or what
 * another site's script asks for. Else a picture in a forum would make scanners of everybody who reads it, each from an address of their own.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isUnseen(req: IncomingMessage): boolean {
  const { 'sec-fetch-dest': dest = '', 'sec-fetch-mode': mode, 'sec-fetch-site': site } = req.headers;
  if (mode === 'no-cors' || !['', 'document', 'empty'].includes(dest)) return true;
  // The answer about a GS1 Digital Link any site may read all the same.
  return mode === 'cors' && site === 'cross-site';
}

/** HEAD, a browser's prefetch or prerender, what a page embeds, the preview of a link, or a crawler. */
export function isQuiet(req: IncomingMessage): boolean {
  if (req.method === 'HEAD' || isUnseen(req)) return true;
  for (const name of PURPOSE_HEADERS) {
    const purpose = req.headers[name];
    if (typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose)) return true;
  }
  const agent = req.headers['user-agent'];
  return agent !== undefined && NOBODY.test(agent.slice(0, 512));
}
