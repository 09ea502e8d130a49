/** A chat message as the programs of its readers take it. */
import { directionOf } from '../../languages.ts';
import { unlinked, WORD_JOINER } from '../../mail/in-language.ts';
import { countedHeading } from '../../mail/message.ts';
import type { ChatMessage } from './message.ts';

/**
 * Names in a text that the program reads for its own signs: brackets are links and calls to everybody (`<!channel>`,
 * `<users/all>`), an `@` is one in Mattermost, and `&` begins an entity in Slack alone, so that escaping would show elsewhere.
 */
const plain = (text: string): string =>
  unlinked(text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', `&${WORD_JOINER}`));

/**
 * `text` as Slack's incoming webhooks take it (https://docs.slack.dev/messaging/formatting-message-text), and Google Chat's,
 * Mattermost's and Rocket.Chat's, whose links are the same; so is bold, but in Mattermost, where the title is in italics.
 */
export function slackBody({ language, title, facts, link }: ChatMessage): object {
  const lines = facts.map(({ label, value }) =>
    countedHeading(language, { heading: label, count: plain(value) }),
  );
  return { text: [`*${title}*`, ...lines, `<${link.url}|${link.label}>`].join('\n') };
}

/** An Adaptive Card (https://adaptivecards.io/explorer), as Teams' workflows take it “when a Teams webhook request is received”. */
export function teamsBody({ language, title, facts, link }: ChatMessage): object {
  const set = facts.map(({ label, value }) => ({ title: label, value: unlinked(value) }));
  return {
    type: 'message',
    // What a notification shows of it.
    summary: title,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          lang: language,
          rtl: directionOf(language) === 'rtl',
          body: [
            { type: 'TextBlock', text: title, weight: 'Bolder', size: 'Medium', wrap: true },
            ...(set.length === 0 ? [] : [{ type: 'FactSet', facts: set }]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  };
}
