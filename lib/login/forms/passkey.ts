// Passkeys on the login pages: sign in with one, and sign up with one.
// - A refused response shows the page again with a new challenge. If no account has the credential, the page also tells the
//   browser, which stops suggesting it (WebAuthn 5.1.10).

import { signUp } from '../../identity/accounts/sign-up'
import { requestVerification } from '../../identity/accounts/verify-email'
import {
  isAllowedModel,
  needsVerification,
  passkeyOf,
  readCreation,
  takesPasskeySignUp,
} from '../../identity/passkeys/passkeys'
import { relyingPartyIdOf } from '../../identity/passkeys/relying-party'
import { authenticateByPasskey, evidenceOf } from '../../identity/strategies/passkey'
import { databaseOf } from '../flow/database'
import { refuseOther } from '../flow/linking'
import { offerPasskey, takeAnswer } from '../flow/passkey'
import { readSignUpForm } from '../flow/sign-up-form'
import type { Decisions } from '../transaction'
import type { FormAction, FormResult } from './action'
import { againWith, refuse, signUpContext, signUpGuard } from './sign-up'

export const signInByPasskey: FormAction = {
  name: 'passkey',
  async run(state, input, { login, ip, browsers, locale, passkeyOffered }, deps): Promise<FormResult> {
    const { strayPasskey: _, ...decisions } = state.decisions
    const again = (
      notice: 'passkey_failed' | 'passkey_unknown' | 'verify_first',
      more: Decisions = {},
    ): FormResult => ({
      kind: 'again',
      notice,
      decisions: { ...decisions, ...more },
    })
    const answer = await takeAnswer('sign-in', input, login, deps)
    if (!answer) return again('passkey_failed')
    const verdict = await authenticateByPasskey(state.databases, answer, deps)
    if (verdict.outcome === 'unknown') return again('passkey_unknown', { strayPasskey: verdict.credentialId })
    if (verdict.outcome === 'wrong') return again('passkey_failed')
    if (verdict.outcome === 'unverified') {
      const { user, connection } = verdict
      const began = { clientId: state.client.clientId, organization: state.organization, ip, browsers, locale }
      if (user.email !== null) await requestVerification(connection, user.email, began, deps)
      return again('verify_first')
    }
    const { user, connection, evidence, roaming } = verdict
    if (state.wants.subject !== null && state.wants.subject !== user.id)
      return { kind: 'again', notice: refuseOther(state, deps), decisions }
    const offering = {
      capable: roaming && input.passkeys === 'true',
      offered: passkeyOffered,
      reason: 'other-device',
    } as const
    const offer = await offerPasskey(user, connection, offering, deps)
    // Consent given earlier in this transaction belongs to the previously signed-in user, so it is dropped.
    return {
      kind: 'progress',
      user,
      evidence,
      decisions: { account: 'selected', ...(offer === null ? {} : { passkeyOffer: offer }) },
    }
  },
}

/** The account has a passkey and no password; a reset by mail sets one. */
export const createAccountWithPasskey: FormAction = {
  name: 'sign-up-passkey',
  guard: signUpGuard,
  async run(state, input, { ip, locale, login, userAgent }, deps): Promise<FormResult> {
    const database = databaseOf(state)
    const form = readSignUpForm(input, database, state.invitation?.email)
    const { email, username, extra } = form
    const again = againWith(state, form)
    const missing = form.missing.filter((name) => name !== 'password')
    if (missing.length > 0) return again('missing_fields', missing)
    const answer = takesPasskeySignUp(database, deps) ? await takeAnswer('sign-up', input, login, deps) : null
    if (!answer) return again('passkey_failed', [])
    const created = await readCreation(answer.response, {
      ...answer,
      rpId: relyingPartyIdOf(deps),
      verified: needsVerification(database),
    })
    if ('refused' in created) return again('passkey_failed', [])
    const stray = (refused: FormResult): FormResult =>
      refused.kind === 'again'
        ? { ...refused, decisions: { ...refused.decisions, strayPasskey: created.credentialId } }
        : refused
    if (!isAllowedModel(created, database)) return stray(again('passkey_model', []))
    const passkey = await passkeyOf(created, { handle: answer.handle, userAgent }, deps)
    const result = await signUp(
      database,
      {
        ...{ email, password: null, passkey, user_metadata: extra },
        ...(database.settings.options.requires_username ? { username } : {}),
      },
      signUpContext(state, { ip, locale }),
      deps,
    )
    if (result.outcome === 'refused') return stray(refuse(result, again, deps.settings.tenant.flags))
    const evidence = evidenceOf(passkey, created, database, passkey.createdAt)
    return { kind: 'progress', user: result.user, evidence, decisions: { identifier: email, account: 'selected' } }
  },
}
