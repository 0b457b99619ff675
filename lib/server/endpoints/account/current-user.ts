// GET and PATCH /api/v2/users/{id} (the contract's "Management API token for single-page applications"): a user's own record,
// for a client acting for the user.
// - Only the token's own user: any other id has one answer, whether or not the user exists (threat-model.md TK6).
// - Only `user_metadata` can be changed; a body with any other member is refused as a whole.

import * as z from 'zod'
import type { PersonalScope } from '../../../data/apis/built-in'
import { MAX_METADATA, readMetadataChange } from '../../../data/users/metadata-change'
import { presentProfile } from '../../../data/users/profile'
import { optional } from '../../../http/description'
import { type HttpRequest, type HttpResponse, json, jsonMembers, queryParameters } from '../../../http/message'
import { invalidRequest, invalidToken, malformedParameter } from '../../../kernel/errors'
import type { Bearer } from '../../../protocols/oauth/bearer'
import { defineCurrentUserEndpoint, ownUser } from '../../requests/current-user-endpoint'
import { identities as shownIdentities } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

const READ: PersonalScope[] = ['read:current_user']
const CHANGE: PersonalScope[] = ['update:current_user_metadata', 'create:current_user_metadata']

export const currentUser = defineCurrentUserEndpoint(
  'api.users',
  {
    async GET(request, runtime, count) {
      const caller = await ownUser(READ, request, runtime, count)
      const wanted = fieldsOf(request)
      return showProfile(caller, wanted, runtime)
    },
    async PATCH(request, runtime, count) {
      const caller = await ownUser(CHANGE, request, runtime, count)
      await changeMetadata(caller, jsonMembers(request), runtime)
      runtime.trail.record('changed', { change: 'user_metadata' })
      return showProfile(caller, () => true, runtime)
    },
  },
  () => ({
    GET: {
      summary: 'Read the own profile',
      caller: ['access_token'],
      scopes: READ,
      query: z.object({
        fields: optional('Names of members, with commas'),
        include_fields: z
          .enum(['true', 'false'])
          .optional()
          .meta({ description: 'Whether they are shown or left out' }),
      }),
      answers: { 200: { says: 'The profile', schema: profile() } },
      examples: { fields: { path: { id: '<user>' }, query: { fields: 'user_id,email', include_fields: 'true' } } },
    },
    PATCH: {
      summary: 'Change the own user_metadata',
      caller: ['access_token'],
      scopes: CHANGE,
      body: z.strictObject({
        user_metadata: z.record(z.string(), z.unknown()).meta({ description: 'Null removes a member, {} all of them' }),
      }),
      encoding: 'json',
      answers: { 200: { says: 'The profile', schema: profile() } },
      examples: { colour: { path: { id: '<user>' }, body: { user_metadata: { colour: 'blue' } } } },
    },
  }),
)

const profile = () =>
  z.looseObject({
    user_id: z.string().optional(),
    email: z.string().optional(),
    identities: shownIdentities().optional(),
  })

async function showProfile(
  { user }: Bearer,
  wanted: (field: string) => boolean,
  { profiles }: Runtime,
): Promise<HttpResponse> {
  const profile = await profiles.find(user.id)
  if (!profile) throw invalidToken('The token has been revoked', { reason: 'user_gone' })
  const shown = Object.entries(presentProfile(profile)).filter(([field]) => wanted(field))
  return json(Object.fromEntries(shown))
}

async function changeMetadata(
  { user }: Bearer,
  { user_metadata, ...others }: Readonly<Record<string, unknown>>,
  { profiles, clock }: Runtime,
): Promise<void> {
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalidRequest('Only user_metadata can be changed')
  const change = readMetadataChange(user_metadata)
  if (!change) throw malformedParameter('user_metadata')
  const done = await profiles.changeMetadata(user, change, { bytes: MAX_METADATA, at: clock.now() })
  if (!done) throw invalidRequest('user_metadata would become too large')
}

/** `fields` names the fields to return, or with `include_fields=false` the fields to omit. */
function fieldsOf(request: HttpRequest): (field: string) => boolean {
  const { fields, include_fields = 'true' } = queryParameters(request)
  if (include_fields !== 'true' && include_fields !== 'false') {
    throw malformedParameter('include_fields', undefined, { members: { errorCode: 'invalid_query_string' } })
  }
  const named = new Set(fields?.split(',').map((field) => field.trim()))
  return (field) => fields === undefined || named.has(field) === (include_fields === 'true')
}
