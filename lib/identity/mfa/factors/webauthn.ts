// Security keys, and the fingerprint, face or screen lock of a device (WebAuthn; threat-model.md MF9). A browser asks the authenticator,
// so only pages enrol and challenge them.
// - A ceremony belongs to one user and one login. Its challenge is consumed before the response is read (lib/identity/passkeys/ceremony.ts).
// - To add one is to create a key for the waiting authenticator; to prove it is an assertion by the key of an active one.
// - The keys are not discoverable where the authenticator lets us choose, and have a user handle of their own, so that no page lists
//   them among the passkeys.

import type { TenantSettings } from '../../../data/tenants/settings'
import { newUserHandle } from '../../../data/users/passkey'
import { displayNameOf } from '../../../data/users/user'
import { modelName } from '../../passkeys/authenticator-model'
import { beginCeremony, type CeremonyKind, ceremonyKind, takeCeremony } from '../../passkeys/ceremony'
import { type Attachment, creationOptions, requestOptions, type UserVerification } from '../../passkeys/options'
import { canUsePasskeys, originOf, type PasskeySite, relyingPartyIdOf } from '../../passkeys/relying-party'
import { assertionResponse, creationResponse, verifyAssertion, verifyCreation } from '../../passkeys/verify'
import type { Authenticator } from '../authenticator'
import type { MfaDeps, MfaSubject } from '../deps'
import type { FactorKey } from '../factor-key'
import { withinFailureLimit } from '../failure-limit'
import {
  ANSWERED,
  type Attempt,
  type Factor,
  type Judged,
  type KeyCeremony,
  type KeyDeps,
  type KeyHolder,
} from './factor'

/** As long as a login lives. */
const PAGE_SECONDS = 3600
/** How long the browser's own dialog stays open. */
const DIALOG_SECONDS = 300

type OfLogin = { user: string; login: string }

const USE = ceremonyKind<OfLogin>('factor', PAGE_SECONDS)
const ADD = ceremonyKind<OfLogin & { authenticator: string; handle: string }>('add-factor', PAGE_SECONDS)

type Kind = {
  id: 'webauthn-roaming' | 'webauthn-platform'
  rank: number
  attachment: Attachment
  verification(settings: TenantSettings): UserVerification
  needsOther?: true
}

const byKey = <Id extends Kind['id']>({
  id,
  rank,
  attachment,
  verification,
  ...more
}: Kind & { id: Id }): Factor<Id> => ({
  ...more,
  id,
  names: {
    authenticatorType: id,
    channel: null,
    idPrefix: id,
    type: id,
    method: id,
    record: id,
    enrollment: { type: id, method: id },
    removedBy: null,
    enabledBy: null,
  },
  rank,
  isFallback: false,
  isPossible: canUsePasskeys,
  enroll: () => ({ holds: {} }),
  challenge: null,
  ceremony: (authenticators, keys, holder, deps) => {
    const waiting = authenticators.find(({ active }) => !active)
    return waiting
      ? toAdd(waiting, { keys, attachment, verification: verification(deps.settings) }, holder, deps)
      : toUse(ownKeys(authenticators, keys, deps), verification(deps.settings), holder, deps)
  },
  async prove(attempt, subject, deps) {
    const { session, response } = sentIn(attempt.answer)
    const isVerified = verification(deps.settings) === 'required'
    const added = await take(ADD, session, subject, deps)
    if (added) return add(attempt, { ...added, response, isVerified }, subject, deps)
    const used = await take(USE, session, subject, deps)
    if (!used) return { outcome: 'gone' }
    const check = () => assert(attempt, { challenge: used.challenge, response, isVerified }, subject, deps)
    return withinFailureLimit(subject.user.id, check, deps)
  },
  mask: ({ name }) => name,
  page: { confirms: 'key' },
  audit: { sent: null, answered: ANSWERED },
})

export const webauthnRoaming = byKey({
  id: 'webauthn-roaming',
  rank: 3,
  attachment: 'cross-platform',
  verification: ({ guardianWebauthnRoaming }) => guardianWebauthnRoaming.userVerification,
})

/** It is on one device, so a person who has only this could not sign in on another. */
export const webauthnPlatform = byKey({
  id: 'webauthn-platform',
  rank: 2,
  attachment: 'platform',
  verification: () => 'required',
  needsOther: true,
})

const loginOf = ({ user, login }: KeyHolder): OfLogin => ({
  user: user.id,
  login: Buffer.from(login).toString('base64url'),
})

/** Null if the ceremony is of another user or login, expired or used. */
async function take<P extends OfLogin>(kind: CeremonyKind<P>, session: string, subject: KeyHolder, deps: KeyDeps) {
  const taken = await takeCeremony(kind, session, deps)
  const { user, login } = loginOf(subject)
  return taken?.payload.user === user && taken.payload.login === login ? taken : null
}

const ownKeys = (
  authenticators: readonly Authenticator[],
  keys: readonly FactorKey[],
  deps: PasskeySite,
): FactorKey[] =>
  keys.filter(({ id, rpId }) => rpId === relyingPartyIdOf(deps) && authenticators.some((each) => each.id === id))

/** Null without a key of this host: a request without any would let the browser offer all of its passkeys. */
function toUse(
  keys: readonly FactorKey[],
  userVerification: UserVerification,
  holder: KeyHolder,
  deps: KeyDeps,
): KeyCeremony | null {
  if (keys.length === 0) return null
  const { session, challenge } = beginCeremony(USE, loginOf(holder), deps)
  const how = { seconds: DIALOG_SECONDS, userVerification }
  return { does: 'get', session, options: requestOptions(challenge, relyingPartyIdOf(deps), how, keys) }
}

type Adding = { keys: readonly FactorKey[]; attachment: Attachment; verification: UserVerification }

function toAdd(
  { id }: Authenticator,
  { keys, attachment, verification }: Adding,
  holder: KeyHolder,
  deps: KeyDeps,
): KeyCeremony {
  const { user } = holder
  const handle = newUserHandle(deps.random)
  const payload = { ...loginOf(holder), authenticator: id, handle: Buffer.from(handle).toString('base64url') }
  const { session, challenge } = beginCeremony(ADD, payload, deps)
  const name = user.email ?? user.username ?? user.phoneNumber ?? displayNameOf(user)
  const person = { handle, name, displayName: displayNameOf(user) }
  const factor = { attachment, verification, known: keys }
  const options = creationOptions(challenge, relyingPartyIdOf(deps), person, { seconds: DIALOG_SECONDS, factor })
  return { does: 'create', session, options }
}

type Answered = { challenge: string; response: unknown; isVerified: boolean }
type Added = Answered & { payload: { authenticator: string; handle: string } }

async function add(
  { authenticators, confirm }: Attempt,
  { challenge, payload, response, isVerified }: Added,
  { user }: MfaSubject,
  deps: MfaDeps,
): Promise<Judged> {
  const authenticator = authenticators.find(({ id, active }) => id === payload.authenticator && !active)
  if (!authenticator) return { outcome: 'gone' }
  const read = creationResponse.safeParse(response)
  if (!read.success) return { outcome: 'wrong' }
  const created = await verifyCreation(read.data, expectedOf({ challenge, isVerified }, deps))
  if ('refused' in created) return { outcome: 'wrong' }
  const { userVerified: _, ...credential } = created
  const key: FactorKey = {
    ...credential,
    id: authenticator.id,
    userHandle: Buffer.from(payload.handle, 'base64url'),
    name: await modelName(created.aaguid),
    userAgent: null,
    createdAt: deps.clock.now(),
    lastUsedAt: null,
  }
  if (!(await deps.factorKeys.insert(user.id, key))) return { outcome: 'wrong' }
  return (await confirm(authenticator, null)) ? { outcome: 'passed' } : { outcome: 'gone' }
}

async function assert(
  { authenticators }: Attempt,
  { challenge, response, isVerified }: Answered,
  { user }: MfaSubject,
  deps: MfaDeps,
): Promise<object | null> {
  const read = assertionResponse.safeParse(response)
  if (!read.success) return null
  const active = authenticators.filter((each) => each.active)
  const key = ownKeys(active, await deps.factorKeys.list(user.id), deps).find(
    ({ credentialId }) => credentialId === read.data.id,
  )
  if (!key) return null
  const asserted = await verifyAssertion(read.data, key, expectedOf({ challenge, isVerified }, deps))
  if ('refused' in asserted) return null
  const used = await deps.factorKeys.use(key.id, { ...asserted, at: deps.clock.now() })
  if (used !== 'counted') deps.trail.record(used === 'copied' ? 'passkey_copied' : 'passkey_uncounted', { user })
  return used === 'copied' ? null : {}
}

const expectedOf = ({ challenge, isVerified }: Omit<Answered, 'response'>, deps: PasskeySite) => ({
  challenge,
  origins: [originOf(deps)],
  rpId: relyingPartyIdOf(deps),
  verified: isVerified,
})

/** The answer is JSON: the session, and the response as the browser's script wrote it. */
function sentIn(answer: string | undefined): { session: string; response: unknown } {
  try {
    const { session, response } = JSON.parse(answer ?? '') as Record<string, unknown>
    return typeof session === 'string' && typeof response === 'string'
      ? { session, response: JSON.parse(response) }
      : NOTHING
  } catch {
    return NOTHING
  }
}

const NOTHING = { session: '', response: null }
