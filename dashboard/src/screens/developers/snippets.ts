/** The verifiers of `docs/webhooks.md`, word for word; a test holds them together. */
export const SNIPPETS = {
  Node: `import { createServer } from 'node:http';
import { verifyWebhook } from '@touchstone/webhook-verify';

export const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = verifyWebhook(Buffer.concat(chunks), request.headers, process.env.WEBHOOK_SECRET);
    response.writeHead(204).end();
    console.log(event.type, event.id);
  } catch (error) {
    response.writeHead(400).end(error.code);
  }
});`,
  Python: `import hashlib
import hmac
import time


def verify_webhook(raw_body, signature, secrets, tolerance_seconds=300, now=None):
    """True if \`raw_body\` (bytes) belongs to the X-Service-Signature header and one of the secrets."""
    pairs = [part.strip().partition("=") for part in (signature or "").split(",")]
    timestamps = [value for key, _, value in pairs if key == "t"]
    candidates = [value for key, _, value in pairs if key == "v1"]
    if len(timestamps) != 1 or len(timestamps[0]) > 12 or not (timestamps[0].isascii() and timestamps[0].isdigit()):
        return False
    now = time.time() if now is None else now
    if abs(now - int(timestamps[0])) >= tolerance_seconds:
        return False
    signed = timestamps[0].encode() + b"." + raw_body
    valid = False
    for secret in secrets:
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
        for candidate in candidates:
            valid = hmac.compare_digest(expected, candidate.encode()) or valid
    return valid`,
  Go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook reports whether rawBody belongs to the X-Service-Signature header and one of the secrets.
func VerifyWebhook(rawBody []byte, signature string, secrets []string, tolerance time.Duration, now time.Time) bool {
	timestamp := ""
	var candidates [][]byte
	for _, part := range strings.Split(signature, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if key == "t" {
			if timestamp != "" {
				return false
			}
			timestamp = value
		} else if candidate, err := hex.DecodeString(value); key == "v1" && err == nil {
			candidates = append(candidates, candidate)
		}
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || now.Sub(time.Unix(int64(seconds), 0)).Abs() >= tolerance {
		return false
	}
	valid := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(rawBody)
		expected := mac.Sum(nil)
		for _, candidate := range candidates {
			valid = hmac.Equal(expected, candidate) || valid
		}
	}
	return valid
}`,
} as const;
