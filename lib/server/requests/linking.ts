// Linking a second account to the caller's own, and unlinking one. Both accounts must be proven: the caller's own by the token, the other by
// a recent ID token of the same client, with its second factor. Every fault of that ID token has the same error (threat-model.md TK6).

import { ADDRESS_UNPROVEN } from '../../data/users/first-proof'
import type { LinkRefusal, UnlinkRefusal } from '../../data/users/linked-accounts'
import { type PresentedIdentity, presentIdentities, subjectOf } from '../../data/users/profile'
import { composeSignInMail, onceEach } from '../../identity/accounts/sign-in-mail'
import { factorSettings } from '../../identity/mfa/administrator-factors'
import { enrollableKinds } from '../../identity/mfa/policy'
import {
  accessDenied,
  type DomainError,
  invalidRequest,
  invalidToken,
  malformedParameter,
  notFound,
} from '../../kernel/errors'
import type { Bearer } from '../../protocols/oauth/bearer'
import { readAccountProof } from '../../tokens/account-proof'
import type { Runtime } from '../runtime/runtime'

/** Answers the identities of the account. */
export async function linkAccount(caller: Bearer, idToken: string, runtime: Runtime): Promise<PresentedIdentity[]> {
  const proof = await readAccountProof(idToken, caller.client.clientId, runtime)
  if (!proof) throw refused('unproven')
  if (proof.userId === caller.user.id) throw invalidRequest('Both are the same user')
  const { userId: otherId, provenAt, factorProven } = proof
  const needsFactor = factorProven ? [] : enrollableKinds(await factorSettings({ id: otherId }, runtime))
  const other = { otherId, provenAt, needsFactor }
  const absorbed = await runtime.users.find(otherId)
  const change = { what: 'added', ways: ['connected-account'] } as const
  const mails = onceEach([
    await composeSignInMail(caller.user, change, runtime),
    absorbed && (await composeSignInMail(absorbed, change, runtime)),
  ])
  const linked = await runtime.linkedAccounts.link({ ...askingOf(caller, runtime), ...other, mails })
  if (typeof linked === 'string') throw refused(linked)
  runtime.trail.record('changed', { change: 'account linked' })
  runtime.wakeDispatcher()
  return presentIdentities(linked)
}

/** Answers the identities that remain. */
export async function unlinkAccount(
  caller: Bearer,
  account: { provider: string; providerUserId: string },
  runtime: Runtime,
): Promise<PresentedIdentity[]> {
  if (subjectOf(account) === caller.user.id) {
    throw invalidRequest('The account that the user is named after cannot be unlinked')
  }
  const mails = [await composeSignInMail(caller.user, { what: 'removed', ways: ['connected-account'] }, runtime)]
  const left = await runtime.linkedAccounts.unlink({ ...askingOf(caller, runtime), ...account, mails })
  if (typeof left === 'string') throw refused(left)
  runtime.trail.record('changed', { change: 'account unlinked' })
  runtime.wakeDispatcher()
  return presentIdentities(left)
}

const askingOf = ({ user, family }: Bearer, { clock }: Runtime) => ({ userId: user.id, family, at: clock.now() })

function refused(refusal: LinkRefusal | UnlinkRefusal): DomainError {
  switch (refusal) {
    case 'ended':
      return invalidToken('The token has been revoked', { reason: 'token_revoked' })
    case 'unknown':
      return notFound('No such account is linked', { members: { errorCode: 'inexistent_identity' } })
    case 'address_unproven':
      return accessDenied(ADDRESS_UNPROVEN, { reason: 'address_unproven' })
    case 'too_many':
      return invalidRequest('Too many accounts are linked', { reason: 'too_many_identities' })
    case 'unproven':
      return malformedParameter(
        'link_with',
        'link_with is not a fresh ID token of another account for this application',
      )
  }
}
