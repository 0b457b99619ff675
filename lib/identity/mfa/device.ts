// The device's side of push (docs/mfa-push.md): enrolment by ticket, pending prompts, answers.
// - The device authenticates with a token of 256 random bits; the server stores only its digest.
// - An answer counts once, for a pending prompt of this device. If the login page shows a number, approving needs it, and a wrong
//   number rejects the prompt: with a hundred numbers, a second try would make guessing too easy.

import { consumeTicket, findTicket } from '../../data/tickets/ticket'
import type { User, UserPort } from '../../data/users/user'
import { digest, mint } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'
import type { PromptFacts } from './challenge'
import type { MfaDeps } from './deps'
import { DEVICE_TICKET } from './factors/push'

/** What the device shows to the person before the answer; `id` is not secret. */
export type DevicePrompt = PromptFacts & { id: string; asksNumber: boolean; createdAt: Date; expiresAt: Date }

/** Whose device the ticket enrols, and for which application; null for a ticket that is used, expired or replaced. */
export async function enrolledBy(
  ticket: string,
  deps: MfaDeps & { users: UserPort },
): Promise<{ user: User; clientName: string } | null> {
  const payload = await findTicket(DEVICE_TICKET, ticket, deps)
  const user = payload && (await deps.users.find(payload.userId))
  return user ? { user, clientName: payload.clientName ?? deps.tenantName } : null
}

/** Enrols the caller as the device; returns its token, or null if another client was first. */
export async function enrollDevice(ticket: string, name: string, deps: MfaDeps): Promise<string | null> {
  const payload = await consumeTicket(DEVICE_TICKET, ticket, deps)
  if (!payload) return null
  const token = mint(deps.random)
  const claim = { secretDigest: token.digest, name: name.slice(0, 60) || 'Device' }
  if (!(await deps.authenticators.claimDevice(payload.authenticatorId, claim))) return null
  const prompt = { digest: Buffer.from(payload.challenge, 'base64url'), authenticatorId: payload.authenticatorId }
  await deps.challenges.decide({ ...prompt, approve: true, number: null }, deps.clock.now())
  return token.plain
}

export type Connected = { user: User; since: Date; prompts: DevicePrompt[] }

/** The device's user and its pending prompts, newest first; null for an unknown token. */
export async function promptsOf(token: string, deps: MfaDeps): Promise<Connected | null> {
  const found = await deps.authenticators.findDevice(digest(token))
  if (!found) return null
  const waiting = await deps.challenges.waiting(found.device.id, deps.clock.now())
  const prompts = waiting.map(({ digest: id, about, number, createdAt, expiresAt }) => ({
    ...about,
    id: Buffer.from(id).toString('base64url'),
    asksNumber: number !== null,
    createdAt,
    expiresAt,
  }))
  return { user: found.user, since: found.device.createdAt, prompts }
}

export type PromptAnswer = { approve: boolean; number?: string | undefined }

/** False if the prompt is no longer pending, or the number was wrong. */
export async function answerPrompt(
  token: string,
  promptId: string,
  { approve, number }: PromptAnswer,
  deps: MfaDeps,
): Promise<boolean> {
  const found = await deps.authenticators.findDevice(digest(token))
  if (!found) return false
  const prompt = { digest: Buffer.from(promptId.slice(0, 100), 'base64url'), authenticatorId: found.device.id }
  const typed = number === undefined ? null : readCode(number)
  return deps.challenges.decide({ ...prompt, approve, number: typed }, deps.clock.now())
}
