// Prompts on a device, which approves or rejects (docs/mfa-push.md). Enrolment creates a ticket that the device redeems for its
// own token: the phone that opens the ticket's address becomes the device.
import { issueTicket, ticketKind } from '../../../data/tickets/ticket'
import type { MfaDeps } from '../deps'
import { ANSWERED, type Attempt, type Factor, type Judged } from './factor'

/** The content of the ticket in the QR code that a phone scans. */
export type DeviceTicket = {
  authenticatorId: string
  userId: string
  challenge: string
  login: string
  /** Absent in tickets that the previous release issued. */
  clientName?: string
}
export const DEVICE_TICKET = ticketKind<DeviceTicket>('mfa-device', 600)

/** The path that a phone opens after scanning the QR code. */
export const DEVICE_PATH = '/u/device'

export const push: Factor<'push'> = {
  id: 'push',
  names: {
    authenticatorType: 'oob',
    channel: 'auth0',
    idPrefix: 'push',
    type: 'push-notification',
    method: 'push-notification',
    record: 'push-notification',
    enrollment: { type: 'push', method: 'guardian' },
    removedBy: 'guardian',
    enabledBy: 'guardian',
  },
  rank: 1,
  isFallback: false,
  enroll: () => ({ holds: {} }),
  challenge: () => ({ codeDigest: null, message: null }),
  async invite({ id, userId }, { login, clientName }, challenge, deps) {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
    const payload = { authenticatorId: id, userId, challenge: text(challenge), login: text(login), clientName }
    const ticket = await issueTicket(DEVICE_TICKET, payload, deps, { subject: id })
    const query = new URLSearchParams({ enrollment_tx_id: ticket, base_url: deps.baseUrl })
    return `${deps.baseUrl}${DEVICE_PATH}?${query}`
  },
  prove: (attempt, _subject, deps) => readPrompt(attempt, deps),
  mask: ({ name }) => name,
  page: { confirms: 'push' },
  audit: { sent: 'factor_prompt_sent', answered: ANSWERED },
}

async function readPrompt({ authenticators, challenge, confirm }: Attempt, deps: MfaDeps): Promise<Judged> {
  const [authenticator] = authenticators
  const now = deps.clock.now()
  const polled = challenge && authenticator && (await deps.challenges.poll(challenge, now))
  if (!polled) return { outcome: 'gone' }
  if (polled.status === 'pending') return { outcome: 'pending', early: polled.early }
  if (!(await deps.challenges.takePrompt(challenge, now))) return { outcome: 'gone' }
  if (polled.status === 'rejected') return { outcome: 'rejected' }
  return authenticator.active || (await confirm(authenticator, null)) ? { outcome: 'passed' } : { outcome: 'gone' }
}
