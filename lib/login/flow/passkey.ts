// Passkeys within a login: the challenges of its pages, and the offer to create one (threat-model.md PK1, PK6).
// - The challenge of a page belongs to its login; it is in the page alone until it is used.
// - A passkey is offered to a browser whose script says that it can create one, after a password or a passkey of another device,
//   once a month in each browser.
import type { DatabaseConnection } from '../../data/connections/connection'
import { newUserHandle } from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import { beginCeremony, type CeremonyDeps, ceremonyKind, takeCeremony } from '../../identity/passkeys/ceremony'
import {
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from '../../identity/passkeys/options'
import {
  accountForPasskey,
  beginPasskey,
  offersPasskeys,
  type PasskeyDeps,
  takesPasskeySignUp,
  verificationOf,
} from '../../identity/passkeys/passkeys'
import { originOf, type PasskeySite, relyingPartyIdOf } from '../../identity/passkeys/relying-party'
import { DomainError } from '../../kernel/errors'
import type { PasskeyView } from '../../pages/view'
import type { LoginState } from '../login-state'
import { toProve } from './linking'

/** As long as the login lives. */
const PAGE_SECONDS = 3600
/** How long the browser's own dialog stays open. */
const DIALOG_SECONDS = 300

type OfLogin = { login: string }

const SIGN_IN = ceremonyKind<OfLogin>('sign-in', PAGE_SECONDS)
const SIGN_UP = ceremonyKind<OfLogin & { handle: string }>('sign-up', PAGE_SECONDS)

type Deps = CeremonyDeps & PasskeySite

const loginOf = (digest: Uint8Array): string => Buffer.from(digest).toString('base64url')

/** What the script of a page passes to the browser. */
export function ceremonyView(
  session: string,
  { challenge, ...options }: RequestOptions | CreationOptions,
): PasskeyView {
  return { session, challenge, options: JSON.stringify(options) }
}

type SignInView = PasskeyView & { ui: 'both' | 'autofill' | 'button' }

export function signInByPasskeyView(
  { databases, decisions }: LoginState,
  login: Uint8Array,
  deps: Deps,
): SignInView | null {
  const offering = databases.filter((database) => offersPasskeys(database, deps))
  const [first] = offering
  if (!first) return null
  const { session, challenge } = beginCeremony(SIGN_IN, { login: loginOf(login) }, deps)
  const options = requestOptions(challenge, relyingPartyIdOf(deps), {
    seconds: DIALOG_SECONDS,
    userVerification: verificationOfAll(offering),
  })
  const ui = first.settings.options.passkey_options.challenge_ui
  return { ...ceremonyView(session, options), ui, ...strayOf(decisions) }
}

/** A device that cannot verify its user serves the databases that do not require it; the others refuse its answer. */
const verificationOfAll = (databases: readonly DatabaseConnection[]) =>
  databases.map(verificationOf).find((verification) => verification !== 'required') ?? 'required'

/** A credential that no account has, so the browser may forget it. */
const strayOf = ({ strayPasskey }: LoginState['decisions']) =>
  strayPasskey === undefined ? {} : { stray: strayPasskey }

/** The script fills in the name that is typed. */
export function signUpByPasskeyView(state: LoginState, login: Uint8Array, deps: Deps): PasskeyView | null {
  const [database] = state.databases
  if (toProve(state) !== null || database === undefined || !takesPasskeySignUp(database, deps)) return null
  const handle = newUserHandle(deps.random)
  const payload = { login: loginOf(login), handle: Buffer.from(handle).toString('base64url') }
  const { session, challenge } = beginCeremony(SIGN_UP, payload, deps)
  const person = { handle, name: '', displayName: '' }
  const options = creationOptions(challenge, relyingPartyIdOf(deps), person, {
    seconds: DIALOG_SECONDS,
    userVerification: verificationOf(database),
  })
  return { ...ceremonyView(session, options), ...strayOf(state.decisions) }
}

type Sent = { passkey_session?: string; passkey_response?: string }

/** What the browser answered to a page of this login; null if its challenge is of another login, expired or used. */
export async function takeAnswer(kind: 'sign-in' | 'sign-up', input: Sent, login: Uint8Array, deps: Deps) {
  const taken = await takeCeremony(kind === 'sign-in' ? SIGN_IN : SIGN_UP, input.passkey_session ?? '', deps)
  if (taken?.payload.login !== loginOf(login)) return null
  const handle = 'handle' in taken.payload ? (taken.payload.handle as string) : ''
  return { challenge: taken.challenge, handle, response: parsed(input.passkey_response), origins: [originOf(deps)] }
}

export function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return null
  }
}

export type PasskeyOffer = PasskeyView & { reason: 'none-yet' | 'other-device' }

type Offering = { capable: boolean; offered: boolean; reason: PasskeyOffer['reason'] }

/** The offer for a user who has just signed in; null if none is due. */
export async function offerPasskey(
  user: User,
  connection: DatabaseConnection,
  { capable, offered, reason }: Offering,
  deps: PasskeyDeps,
): Promise<PasskeyOffer | null> {
  const { progressive_enrollment_enabled, local_enrollment_enabled } = connection.settings.options.passkey_options
  const enabled = reason === 'none-yet' ? progressive_enrollment_enabled : local_enrollment_enabled
  if (!capable || offered || !enabled || !offersPasskeys(connection, deps)) return null
  return prepareOffer(user, reason, deps)
}

/** Also after a failure, with another challenge. Null for an account that can get none. */
export async function prepareOffer(
  user: User,
  reason: PasskeyOffer['reason'],
  deps: PasskeyDeps,
): Promise<PasskeyOffer | null> {
  const account = await accountForPasskey(user, deps)
  if (!account) return null
  try {
    const { session, options } = await beginPasskey(user, account, deps)
    if (reason === 'none-yet' && options.excludeCredentials?.length !== 0) return null
    return { ...ceremonyView(session, options), reason }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'access_denied') return null
    throw error
  }
}
