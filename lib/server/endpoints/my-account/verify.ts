// POST /me/v1/authentication-methods/{id}/verify: confirms a way to sign in that POST /me/v1/authentication-methods started, once
// (threat-model.md MA3).

import * as z from 'zod'
import { json, jsonMembers } from '../../../http/message'
import { KINDS, kindOfId, methodNamed } from '../../my-account/kinds/index'
import { changing, defineMyAccountEndpoint } from '../../my-account/my-account-endpoint'
import { methodSchema } from '../../my-account/schemas'
import { withLocation } from './authentication-methods'

const CREATE = 'create:me:authentication_methods'

export const verifyAuthenticationMethod = defineMyAccountEndpoint(
  'me.authentication_method.verify',
  {
    async POST(request, runtime, count) {
      const call = await changing(CREATE, request, runtime, count)
      const { id = '' } = request.params
      const confirmed = await kindOfId(id).verify(call, id, jsonMembers(request))
      return withLocation(confirmed, json(await methodNamed(call, confirmed), 201), runtime)
    },
  },
  () => ({
    POST: {
      summary: 'Confirm a way to sign in',
      caller: ['access_token'],
      scopes: [CREATE],
      body: z.union(KINDS.map(({ verifies }) => verifies())),
      encoding: 'json',
      answers: { 201: { says: 'The confirmed method', schema: methodSchema() } },
      examples: {
        app: {
          path: { id: '<enrolling method>' },
          body: { auth_session: '<enrolling session>', otp_code: '<enrolling code>' },
        },
      },
    },
  }),
)
