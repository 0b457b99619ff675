// Turns an upstream identity into a user of this server, created or updated, with the proof of it.
import type { UpstreamConnection } from '../../data/connections/connection'
import { isEnterprise } from '../../data/connections/enterprise'
import type { UpstreamIdentity } from '../../data/connections/upstream/upstream'
import { UPSTREAM_TOKENS, type UpstreamLogin } from '../../data/connections/upstream/upstream-account'
import type { Evidence } from '../../data/sessions/session'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import { refuseOther } from '../flow/linking'
import type { OpenTransaction } from '../flow/open'
import type { FormResult } from '../forms/action'

export type Again = Extract<FormResult, { kind: 'again' }>

export const again = (notice: NoticeCode, { state }: OpenTransaction): Again => ({
  kind: 'again',
  notice,
  decisions: state.decisions,
})

export async function signInAs(
  connection: UpstreamConnection,
  identity: UpstreamIdentity,
  at: Date,
  open: OpenTransaction,
  deps: LoginDeps,
): Promise<FormResult> {
  const user = await deps.upstreamAccounts.signIn(
    accountOf(connection, identity, { at, isInvited: open.state.invitation !== null }, deps),
  )
  deps.trail.context({ connection })
  if (identity.missed !== undefined) deps.noteMissed(connection, identity.missed)
  if (typeof user === 'string') {
    deps.trail.record('login_refused', {
      reason: 'upstream_no_account',
      sentence: 'there is no such account, and the connection makes none',
    })
    return again('upstream_no_account', open)
  }
  deps.trail.context({ user })
  if (user.blocked) return blocked(deps)
  const { subject } = open.state.wants
  if (subject !== null && subject !== user.id) return again(refuseOther(open.state, deps), open)
  const proof = { method: 'fed' as const, at: at.toISOString(), connection: connection.name }
  const { logoutHint } = identity
  const hint = logoutHint === null ? {} : { hint: sealHint(logoutHint, deps) }
  // Consent given earlier in this transaction belongs to the previously signed-in user, so it is dropped.
  const evidence = [{ ...proof, ...hint, ...endOf(identity, connection) }]
  return { kind: 'progress', user, evidence, decisions: { account: 'selected' } }
}

function endOf(
  { sessionEnd = null }: UpstreamIdentity,
  { settings: { options } }: UpstreamConnection,
): Pick<Evidence, 'ends' | 'endsOffline'> {
  if (sessionEnd === null) return {}
  const isOffline = 'end_refresh_tokens_with_session' in options && options.end_refresh_tokens_with_session === true
  return { ends: sessionEnd.toISOString(), ...(isOffline ? { endsOffline: true } : {}) }
}

/** The vendor's description; RFC 6749 4.1.2.1 has no code for it. */
const blocked = ({ settings }: LoginDeps): FormResult => ({
  kind: 'refused',
  description: 'user is blocked',
  reason: 'user_blocked',
  code: settings.tenant.compat.errors === 'vendor' ? 'unauthorized' : 'access_denied',
})

const FOLLOWS = { on_each_login: 'each', on_first_login: 'first', never_on_login: 'never' } as const

function accountOf(
  connection: UpstreamConnection,
  identity: UpstreamIdentity,
  { at, isInvited }: { at: Date; isInvited: boolean },
  deps: LoginDeps,
): UpstreamLogin {
  const { options } = connection.settings
  const { provider, providerUserId, profile } = identity
  return {
    connectionId: connection.id,
    provider,
    providerUserId,
    isSocial: !isEnterprise(connection),
    person: profile,
    follows: FOLLOWS[options.set_user_root_attributes],
    sealedTokens: sealedTokens(connection, identity, at, deps),
    newUserId: options.disable_signup && !isInvited ? null : `${provider}|${providerUserId}`,
    at,
  }
}

/** Null for a connection that stores none. */
export function sealedTokens(
  { settings: { options } }: UpstreamConnection,
  { tokens }: Pick<UpstreamIdentity, 'tokens'>,
  at: Date,
  { vault, random }: Pick<LoginDeps, 'vault' | 'random'>,
): Uint8Array | null {
  if (!('store_tokens' in options && options.store_tokens) || tokens === null) return null
  return vault.seal(UPSTREAM_TOKENS, JSON.stringify({ ...tokens, at }), random)
}

const HINT = 'upstream hint'

const sealHint = (idToken: string, { vault, random }: LoginDeps): string =>
  vault.seal(HINT, idToken, random).toString('base64')

export const openHint = (hint: string | undefined, { vault }: Pick<LoginDeps, 'vault'>): string | null =>
  hint === undefined ? null : (vault.open(HINT, Buffer.from(hint, 'base64'))?.toString() ?? null)
