// Identifier and password at a database connection. Proves `pwd`; the response never says which of the two was wrong.

import { requestVerification } from '../../identity/accounts/verify-email'
import { provePassword } from '../../identity/strategies/database'
import { draftOf } from '../flow/captcha'
import { chosenDatabase, databasesFor } from '../flow/database'
import { homeOf } from '../flow/home-realm'
import { refuseOther } from '../flow/linking'
import { offerPasskey } from '../flow/passkey'
import { leaveFor } from '../upstream/upstream'
import type { FormResult, GuardedAction } from './action'

/** The largest length of an e-mail address. */
export const MAX_IDENTIFIER = 320

export const password: GuardedAction = {
  name: 'login',
  guard: { use: 'login', draft: draftOf('username') },
  async run(state, input, { handle, ip, locale, browsers, passkeyOffered }, deps): Promise<FormResult> {
    const identifier = (input.username ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const decisions = { ...state.decisions, identifier, ...chosenDatabase(input) }
    if (identifier.trim() === '') {
      return { kind: 'again', notice: input.password ? 'missing_identifier' : 'missing_credentials', decisions }
    }
    const home = homeOf(identifier, state)
    if (home) return leaveFor(home, 'domain', { ...state, decisions }, handle, deps)
    if (!input.password) return { kind: 'again', notice: 'missing_password', decisions }
    const databases = databasesFor({ ...state, decisions })
    if (databases.length === 0) return { kind: 'again', notice: 'missing_database', decisions }
    const at = deps.clock.now().toISOString()
    const place = { clientId: state.client.clientId, organization: state.organization }
    const verdict = await provePassword(databases, { identifier, password: input.password, ip, browsers, place }, deps)
    if (verdict.outcome === 'wrong') return { kind: 'again', notice: 'wrong_credentials', decisions }
    if (verdict.outcome === 'script')
      return { kind: 'again', notice: 'upstream_failed', decisions: { ...decisions, unreached: null } }
    if (verdict.outcome === 'throttled') return { kind: 'again', notice: 'too_many_attempts', decisions }
    if (verdict.outcome === 'blocked')
      return {
        kind: 'again',
        screen: 'account-locked',
        notice: 'too_many_attempts',
        decisions: { ...decisions, locked: true },
      }
    if (verdict.outcome === 'breached') return { kind: 'again', notice: 'password_leaked', decisions }
    if (verdict.outcome === 'unverified') {
      const { user, connection } = verdict
      const began = { ...place, ip, browsers, locale }
      if (user.email !== null) await requestVerification(connection, user.email, began, deps)
      return { kind: 'again', notice: 'verify_first', decisions }
    }
    const { user, connection, guess } = verdict
    if (state.wants.subject !== null && state.wants.subject !== user.id) {
      await deps.attempts.settle(guess)
      return { kind: 'again', notice: refuseOther(state, deps), decisions }
    }
    const offering = { capable: input.passkeys === 'true', offered: passkeyOffered, reason: 'none-yet' } as const
    const offer = await offerPasskey(user, connection, offering, deps)
    const evidence = [{ method: 'pwd' as const, at, connection: connection.name }]
    // Consent given earlier in this transaction belongs to the previously signed-in user, so it is dropped.
    return {
      kind: 'progress',
      user,
      evidence,
      guess,
      familiar: guess.account,
      decisions: { identifier, account: 'selected', ...(offer === null ? {} : { passkeyOffer: offer }) },
    }
  },
}
