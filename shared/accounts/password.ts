/** Passwords: what is good enough, and argon2id. */
import { hash, verify } from '@node-rs/argon2';
import { invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 12.6 ms on one core.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const MIN_LENGTH = 10;
const MAX_LENGTH = 200;

/** Of nothing that anybody knows: of whoever has no password, and verified for an address that nobody has, so that it takes as long. */
export const NOBODYS_DIGEST =
  '$argon2id$v=19$m=19456,t=2,p=1$yYhFWyXpDuAczFvTju7zHg$n1BF1UxQOZnSWtP5Um+Ho/6Nmog9qbANmEG6irQEVsM';

/** Letters and digits in lower case, common substitutions undone: `P@ssw0rd-123` and `password123` are one. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll('0', 'o')
    .replaceAll('3', 'e')
    .replace(/[^\p{L}\p{N}]/gu, '');

const FOLDED_COMMON = new Set([...COMMON_PASSWORDS].map(fold));

/** Whether it is one short thing over and over, or a run of the keyboard or alphabet. */
function isRepetition(folded: string): boolean {
  for (let unit = 1; unit <= folded.length / 2 && unit <= 4; unit++) {
    if (
      folded ===
      folded
        .slice(0, unit)
        .repeat(Math.ceil(folded.length / unit))
        .slice(0, folded.length)
    )
      return true;
  }
  const runs = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', '123456789o123456789o123456789o'];
  return runs.some((run) => run.includes(folded) || run.split('').toReversed().join('').includes(folded));
}

/**
 * Length counts and guessability; no rules about kinds of characters (NIST SP 800-63B §5.1.1.2).
 * @param known words that a guesser of this account tries first: parts of the address, the organization's name.
 * @throws AppError VALIDATION_FAILED for the field at `path`
 */
export function vetPassword(password: string, known: readonly string[], path = 'password'): void {
  if (password.length < MIN_LENGTH)
    throw invalidField(
      path,
      refusal('TOO_SHORT', `must have at least ${MIN_LENGTH} characters`, { minimum: MIN_LENGTH }),
    );
  if (password.length > MAX_LENGTH)
    throw invalidField(
      path,
      refusal('TOO_LONG', `must have at most ${MAX_LENGTH} characters`, { maximum: MAX_LENGTH }),
    );
  const folded = fold(password);
  const withoutNumber = fold(password.replace(/[\P{L}]+$/u, ''));
  if (FOLDED_COMMON.has(folded) || FOLDED_COMMON.has(withoutNumber) || isRepetition(folded))
    throw invalidField(path, refusal('PASSWORD_GUESSABLE', 'is one of the first that a guesser would try'));
  const words = known.flatMap((text) => [text, text.split('@')[0]!]).map(fold);
  if (words.some((word) => word.length >= 4 && folded.replaceAll(word, '').length < 6))
    throw invalidField(
      path,
      refusal('PASSWORD_LIKE_YOU', 'is little more than your name, address or organization'),
    );
}

/** @returns the digest in PHC format. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID);

/** @param digest null for an account that is not there, empty for one that was removed: takes as long, and is false. */
export async function verifyPassword(digest: string | null, password: string): Promise<boolean> {
  const isKept = digest !== null && digest !== '';
  const matches = await verify(isKept ? digest : NOBODYS_DIGEST, password.slice(0, MAX_LENGTH + 1));
  return matches && isKept;
}
