// Prompts on a device, which approves or rejects (docs/mfa-push.md). Enrolling makes a ticket that the device redeems for a
// token of its own: whoever opens the ticket's address on a phone makes that phone the device.
import type { Factor } from './factor'

export const push: Factor = {
  name: 'push',
  type: 'oob',
  channel: 'auth0',
  idPrefix: 'push',
  kind: 'push-notification',
  enroll: () => ({ holds: {} }),
  challenge: () => ({ codeDigest: null, message: null }),
}
