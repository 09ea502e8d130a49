/** Requests that are answered but are no scans: nobody holds the product in the hand. */
import type { IncomingMessage } from 'node:http';

/**
 * Fetchers that draw the preview of a link in a chat or a mail, by what they call themselves. `docs/verification.md`
 * lists the same; a test holds the two together. None is to be trusted for more than this: who pretends to be one is
 * answered without a scan, and so without any effect.
 */
export const PREVIEW_FETCHERS = [
  'facebookexternalhit',
  'Facebot',
  'meta-externalfetcher',
  'WhatsApp',
  'TelegramBot',
  'Twitterbot',
  'Slackbot',
  'Slack-ImgProxy',
  'Discordbot',
  'LinkedInBot',
  'SkypeUriPreview',
  'Microsoft-Teams',
  'Viber',
  'Line-Poker',
  'kakaotalk-scrap',
  'Snapchat',
  'redditbot',
  'Pinterestbot',
  'vkShare',
  'Mastodon',
  'Mattermost-Bot',
  'Rocket.Chat',
  'Zulip',
  'Synapse',
  'Iframely',
  'Embedly',
  'GoogleImageProxy',
  'Google-PageRenderer',
  'Google-Safety',
  'YahooMailProxy',
  'BingPreview',
  'Applebot',
] as const;

const PREVIEW = new RegExp(PREVIEW_FETCHERS.map((name) => name.replaceAll('.', '\\.')).join('|'), 'i');

/** @see https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header; the others are older browsers'. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** HEAD, a browser's prefetch or prerender, or the preview of a link. */
export function isQuiet(req: IncomingMessage): boolean {
  if (req.method === 'HEAD') return true;
  for (const name of PURPOSE_HEADERS) {
    const purpose = req.headers[name];
    if (typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose)) return true;
  }
  const agent = req.headers['user-agent'];
  return agent !== undefined && PREVIEW.test(agent.slice(0, 512));
}
