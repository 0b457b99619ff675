// POST /api/v2/users/{id}/identities and DELETE …/identities/{provider}/{user_id}: a user links a second account to their own,
// or unlinks one (the contract's "Management API token for single-page applications").
// - Both accounts must be proven (linking.ts); the user's own by a token from a recent login, with a second factor if the user has one
//   (threat-model.md SE7).

import * as z from 'zod'
import { text } from '../../../http/description'
import { type HttpRequest, json, jsonMembers, textMember } from '../../../http/message'
import { listFactors } from '../../../identity/mfa/enrolled'
import { invalidRequest } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import type { Bearer } from '../../../protocols/oauth/bearer'
import { checkProven } from '../../../protocols/oauth/mfa-caller'
import { defineCurrentUserEndpoint, ownUser } from '../../requests/current-user-endpoint'
import { linkAccount, unlinkAccount } from '../../requests/linking'
import { identities as shownIdentities } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

const SCOPE = 'update:current_user_identities'

const answered = (says: string) => ({ says, schema: shownIdentities() })

export const identities = defineCurrentUserEndpoint(
  'api.users.identities',
  {
    async POST(request, runtime, count) {
      const caller = await trustedCaller(request, runtime, count)
      return json(await linkAccount(caller, proofIn(request), runtime), 201)
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
      return json(await unlinkAccount(caller, { provider, providerUserId }, runtime))
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

async function trustedCaller(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<Bearer> {
  const caller = await ownUser([SCOPE], request, runtime, count)
  checkProven(caller.family, await listFactors(caller.user, runtime))
  return caller
}

function proofIn(request: HttpRequest): string {
  const { link_with, ...others } = jsonMembers(request)
  if (Object.keys(others).length > 0) throw invalidRequest('Only link_with can be sent')
  const proof = textMember({ link_with }, 'link_with')
  if (proof === undefined)
    throw invalidRequest('Missing required property: link_with', {
      reason: 'parameter_missing',
      parameter: 'link_with',
    })
  return proof
}
