// POST /api/v2/users/{id}/identities and DELETE …/identities/{provider}/{user_id}: a user links a second account to their own,
// or unlinks one (the contract's "Management API token for single-page applications").
// - Both accounts must be proven: the user's own by a token from a recent login, with a second factor if the user has one; the
//   other by a recent ID token of the same client, also with its second factor (threat-model.md TK6, SE7). Every fault of that
//   ID token has the same error.

import * as z from 'zod'
import { text } from '../../http/description'
import type { Count } from '../../http/endpoint'
import { type HttpRequest, json, jsonMembers, textMember } from '../../http/message'
import { accessDenied, type DomainError, invalidRequest, invalidToken, notFound } from '../../kernel/errors'
import { listFactors } from '../../mfa/enrolled'
import { enrollableKinds } from '../../mfa/policy'
import { type Bearer, RECENTLY } from '../../oauth/bearer'
import { checkProven } from '../../oauth/mfa-caller'
import type { Runtime } from '../../runtime/runtime'
import { readAccountProof } from '../../tokens/account-proof'
import { ADDRESS_UNPROVEN } from '../../users/first-proof'
import type { LinkRefusal, UnlinkRefusal } from '../../users/linked-accounts'
import { presentIdentities, subjectOf } from '../../users/profile'
import { identities as shownIdentities } from '../schemas'
import { defineCurrentUserEndpoint, ownUser } from './current-user-endpoint'

const SCOPE = 'update:current_user_identities'

const answered = (says: string) => ({ says, schema: shownIdentities() })

export const identities = defineCurrentUserEndpoint(
  'api.users.identities',
  {
    async POST(request, runtime, count) {
      const caller = await trustedCaller(request, runtime, count)
      const proof = await readAccountProof(proofIn(request), caller.client.clientId, runtime)
      if (!proof) throw refused('unproven')
      if (proof.userId === caller.user.id) throw invalidRequest('Both are the same user')
      const { userId: otherId, provenAt, factorProven } = proof
      const needsFactor = factorProven ? [] : enrollableKinds(runtime.settings)
      const other = { otherId, provenAt, needsFactor }
      const linked = await runtime.linkedAccounts.link({ ...askingOf(caller, runtime), ...other })
      if (typeof linked === 'string') throw refused(linked)
      runtime.trail.record('changed', { change: 'account linked' })
      runtime.wakeDispatcher()
      return json(presentIdentities(linked), 201)
    },
  },
  () => ({
    POST: {
      summary: 'Link a second account',
      caller: ['access_token'],
      scopes: [SCOPE],
      body: z.strictObject({ link_with: text('A recent ID token of the other account') }),
      encoding: 'json',
      answers: { 201: answered('The identities of the account') },
      examples: { account: { path: { id: '<user>' }, body: { link_with: '<ID token of the other account>' } } },
    },
  }),
)

export const identity = defineCurrentUserEndpoint(
  'api.users.identity',
  {
    async DELETE(request, runtime, count) {
      const caller = await trustedCaller(request, runtime, count)
      const { provider = '', user_id: providerUserId = '' } = request.params
      if (subjectOf({ provider, providerUserId }) === caller.user.id) {
        throw invalidRequest('The account that the user is named after cannot be unlinked')
      }
      const left = await runtime.linkedAccounts.unlink({ ...askingOf(caller, runtime), provider, providerUserId })
      if (typeof left === 'string') throw refused(left)
      runtime.trail.record('changed', { change: 'account unlinked' })
      runtime.wakeDispatcher()
      return json(presentIdentities(left))
    },
  },
  () => ({
    DELETE: {
      summary: 'Unlink an account',
      caller: ['access_token'],
      scopes: [SCOPE],
      answers: { 200: answered('The identities that remain') },
      examples: { account: { path: { id: '<user>', provider: 'auth0', user_id: '<linked account>' } } },
    },
  }),
)

async function trustedCaller(request: HttpRequest, runtime: Runtime, count: Count): Promise<Bearer> {
  const caller = await ownUser([SCOPE], request, runtime, count, RECENTLY)
  checkProven(caller.family, await listFactors(caller.user, runtime))
  return caller
}

const askingOf = ({ user, family }: Bearer, { clock }: Runtime) => ({ userId: user.id, family, at: clock.now() })

function proofIn(request: HttpRequest): string {
  const { link_with, ...others } = jsonMembers(request)
  if (Object.keys(others).length > 0) throw invalidRequest('Only link_with can be sent')
  const proof = textMember({ link_with }, 'link_with')
  if (proof === undefined) throw invalidRequest('Missing required property: link_with')
  return proof
}

function refused(refusal: LinkRefusal | UnlinkRefusal): DomainError {
  switch (refusal) {
    case 'ended':
      return invalidToken('The token has been revoked')
    case 'unknown':
      return notFound('No such account is linked', { members: { errorCode: 'inexistent_identity' } })
    case 'address_unproven':
      return accessDenied(ADDRESS_UNPROVEN)
    case 'too_many':
      return invalidRequest('Too many accounts are linked')
    case 'unproven':
      return invalidRequest('link_with is not a fresh ID token of another account for this application')
  }
}
