/**
 * Access tokens of signed-in people: JWT signed with HS256, ten minutes long. Only the identity is in them; role and
 * session are read from the database at each request, so that a change bites at once.
 */
import { jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';
import { JOSEError } from 'jose/errors';
import type { Clock } from '../clock.ts';
import { decodeId, encodeId } from '../ids.ts';
import type { Keyring } from '../keyring.ts';

export const ACCESS_TOKEN_SECONDS = 600;

// RFC 9068: a type of its own, so that no other JWT passes for an access token.
const TYPE = 'at+jwt';
const ALGORITHM = 'HS256';

export interface AccessTokenSubject {
  /** UUIDs. */
  userId: string;
  sessionId: string;
}

export interface AccessTokens {
  issue(subject: AccessTokenSubject): Promise<string>;
  /** @returns null for whatever is not a token of ours that is valid now. */
  verify(token: string): Promise<AccessTokenSubject | null>;
}

/**
 * @param keyring the first key signs, all of them verify, picked by `kid` alone: a header never brings its own key.
 * @param issuer public address of the service; the audience is its API.
 */
export function createAccessTokens(clock: Clock, keyring: Keyring, issuer: string): AccessTokens {
  const audience = `${issuer}/api/v1`;
  const [current] = keyring;
  const keys = new Map(keyring.map(({ id, bytes }) => [id, bytes]));

  const pickKey = ({ kid }: JWTHeaderParameters): Uint8Array => {
    const key = kid === undefined ? undefined : keys.get(kid);
    if (key === undefined) throw new JOSEError('unknown key id');
    return key;
  };

  return {
    issue({ userId, sessionId }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ sid: encodeId('sess', sessionId) })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(encodeId('user', userId))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(current.bytes);
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, pickKey, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer,
          audience,
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          maxTokenAge: ACCESS_TOKEN_SECONDS,
          currentDate: clock.now(),
        });
        const userId = decodeId('user', payload.sub ?? '');
        const sessionId = typeof payload.sid === 'string' ? decodeId('sess', payload.sid) : null;
        return userId === null || sessionId === null ? null : { userId, sessionId };
      } catch (error) {
        if (error instanceof JOSEError) return null;
        throw error;
      }
    },
  };
}
