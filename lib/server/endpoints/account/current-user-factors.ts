// GET /api/v2/users/{id}/enrollments and DELETE /api/v2/users/{id}/multifactor/{provider} (the contract's "Management API token
// for single-page applications"): a user's own second factors, masked, and the removal of those of one provider.
// - Removal needs a login within the last hour that proved a factor, as at /mfa/authenticators (threat-model.md MF3, SE7).
// - A provider is the vendor's name for several kinds of factors; duo is not supported.

import * as z from 'zod'
import type { PersonalScope } from '../../../data/apis/built-in'
import { empty, json } from '../../../http/message'
import { listFactors } from '../../../identity/mfa/enrolled'
import { presentEnrollment, REMOVABLE_PROVIDERS } from '../../../identity/mfa/enrollment'
import { factorOf, isFallback, isKnown } from '../../../identity/mfa/factors/index'
import { removeFactors } from '../../../identity/mfa/remove'
import { invalidRequest } from '../../../kernel/errors'
import { checkProven } from '../../../protocols/oauth/mfa-caller'
import { defineCurrentUserEndpoint, ownUser } from '../../requests/current-user-endpoint'

const READ: PersonalScope[] = ['read:current_user']
const REMOVE: PersonalScope[] = ['delete:current_user_metadata']

export const enrollments = defineCurrentUserEndpoint(
  'api.users.enrollments',
  {
    async GET(request, runtime, count) {
      const { user } = await ownUser(READ, request, runtime, count)
      const { all } = await listFactors(user, runtime)
      return json(all.filter((each) => !isFallback(each)).map(presentEnrollment))
    },
  },
  () => ({
    GET: {
      summary: 'List the own second factors',
      caller: ['access_token'],
      scopes: READ,
      answers: {
        200: {
          says: 'The factors',
          schema: z.array(
            z.object({
              id: z.string(),
              status: z.enum(['confirmed', 'pending']),
              type: z.string(),
              auth_method: z.string(),
              name: z.string().optional(),
              phone_number: z.string().optional(),
              identifier: z.string().optional(),
              enrolled_at: z.iso.datetime(),
            }),
          ),
        },
      },
      examples: { all: { path: { id: '<user>' } } },
    },
  }),
)

export const multifactor = defineCurrentUserEndpoint(
  'api.users.multifactor',
  {
    async DELETE(request, runtime, count) {
      const { user, family } = await ownUser(REMOVE, request, runtime, count)
      const { provider = '' } = request.params
      if (!REMOVABLE_PROVIDERS.has(provider))
        throw invalidRequest('Unknown provider', { members: { errorCode: 'invalid_uri' } })
      const enrolments = await listFactors(user, runtime)
      checkProven(family, enrolments)
      const stored = (await runtime.authenticators.list(user.id)).filter(isKnown)
      const meant = stored.filter((each) => factorOf(each).names.removedBy === provider)
      await removeFactors(user, meant, runtime)
      return empty(204)
    },
  },
  () => ({
    DELETE: {
      summary: 'Remove the own second factors of a provider',
      caller: ['access_token'],
      scopes: REMOVE,
      answers: { 204: { says: 'They are removed' } },
      examples: { app: { path: { id: '<user>', provider: 'google-authenticator' } } },
    },
  }),
)
