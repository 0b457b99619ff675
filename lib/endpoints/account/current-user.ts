// GET and PATCH /api/v2/users/{id} (the contract's "Management API token for single-page applications"): a user's own record,
// for a client acting for the user.
// - Only the token's own user: any other id has one answer, whether or not the user exists (threat-model.md TK6).
// - Only `user_metadata` can be changed; a body with any other member is refused as a whole.
import type { PersonalScope } from '../../apis/built-in'
import { type HttpRequest, type HttpResponse, json, jsonMembers, queryParameters } from '../../http/message'
import { invalidRequest, invalidToken } from '../../kernel/errors'
import type { Bearer } from '../../oauth/bearer'
import type { Runtime } from '../../runtime/runtime'
import { MAX_METADATA, readMetadataChange } from '../../users/metadata-change'
import { presentProfile } from '../../users/profile'
import { defineCurrentUserEndpoint, ownUser } from './current-user-endpoint'

export const currentUser = defineCurrentUserEndpoint('api.users', {
  async GET(request, runtime, count) {
    const caller = await ownUser(['read:current_user'], request, runtime, count)
    const wanted = fieldsOf(request)
    return showProfile(caller, wanted, runtime)
  },
  async PATCH(request, runtime, count) {
    const scopes: PersonalScope[] = ['update:current_user_metadata', 'create:current_user_metadata']
    const caller = await ownUser(scopes, request, runtime, count)
    await changeMetadata(caller, jsonMembers(request), runtime)
    runtime.trail.record('changed', { change: 'user_metadata' })
    return showProfile(caller, () => true, runtime)
  },
})

async function showProfile(
  { user }: Bearer,
  wanted: (field: string) => boolean,
  { profiles }: Runtime,
): Promise<HttpResponse> {
  const profile = await profiles.find(user.id)
  if (!profile) throw invalidToken('The token has been revoked')
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
  if (!change) throw invalidRequest('Invalid parameter: user_metadata')
  const done = await profiles.changeMetadata(user, change, { bytes: MAX_METADATA, at: clock.now() })
  if (!done) throw invalidRequest('user_metadata would become too large')
}

/** `fields` names the fields to return, or with `include_fields=false` the fields to omit. */
function fieldsOf(request: HttpRequest): (field: string) => boolean {
  const { fields, include_fields = 'true' } = queryParameters(request)
  if (include_fields !== 'true' && include_fields !== 'false') {
    throw invalidRequest('Invalid parameter: include_fields', { members: { errorCode: 'invalid_query_string' } })
  }
  const named = new Set(fields?.split(',').map((field) => field.trim()))
  return (field) => fields === undefined || named.has(field) === (include_fields === 'true')
}
