// Prompts on a device, which approves or rejects (docs/mfa-push.md). Enrolment creates a ticket that the device redeems for its
// own token: the phone that opens the ticket's address becomes the device.
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
