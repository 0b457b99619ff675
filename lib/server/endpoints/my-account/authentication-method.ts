// GET, PATCH and DELETE /me/v1/authentication-methods/{id}: one way to sign in of the caller (docs/my-account.md). A method of another
// person answers as if it did not exist (threat-model.md MA1).
import * as z from 'zod'
import { empty, type HttpRequest, json, jsonMembers } from '../../../http/message'
import { once } from '../../../kernel/lazy'
import { kindOfId, methodNamed, noMethod } from '../../my-account/kinds/index'
import { changing, defineMyAccountEndpoint, reading } from '../../my-account/my-account-endpoint'
import { readBody } from '../../my-account/read-body'
import { methodSchema } from '../../my-account/schemas'

const READ = 'read:me:authentication_methods'
const UPDATE = 'update:me:authentication_methods'
const DELETE = 'delete:me:authentication_methods'

const changes = once(() =>
  z.strictObject({
    name: z.string().min(1).max(100).optional().meta({ description: 'A name that the person recognizes' }),
    preferred_authentication_method: z
      .enum(['sms', 'voice'])
      .optional()
      .meta({ description: 'Whether a phone gets texts or calls' }),
  }),
)

export const authenticationMethod = defineMyAccountEndpoint(
  'me.authentication_method',
  {
    async GET(request, runtime, count) {
      const call = await reading(READ, request, runtime, count)
      return json(await methodNamed(call, idIn(request)))
    },
    async PATCH(request, runtime, count) {
      const call = await changing(UPDATE, request, runtime, count)
      const id = idIn(request)
      const wanted = readBody(changes(), jsonMembers(request))
      if (!(await kindOfId(id).change(call, id, wanted))) throw noMethod()
      runtime.trail.record('changed', { change: 'authentication method changed' })
      return json(await methodNamed(call, id))
    },
    async DELETE(request, runtime, count) {
      const call = await changing(DELETE, request, runtime, count)
      const id = idIn(request)
      if (!(await kindOfId(id).remove(call, id))) throw noMethod()
      return empty(204)
    },
  },
  () => ({
    GET: {
      summary: 'Read a way to sign in',
      caller: ['access_token'],
      scopes: [READ],
      answers: { 200: { says: 'The method', schema: methodSchema() } },
      examples: { one: { path: { id: '<authentication method>' } } },
    },
    PATCH: {
      summary: 'Rename a way to sign in, or choose between texts and calls',
      caller: ['access_token'],
      scopes: [UPDATE],
      body: changes(),
      encoding: 'json',
      answers: { 200: { says: 'The changed method', schema: methodSchema() } },
      examples: { name: { path: { id: '<authentication method>' }, body: { name: 'My phone' } } },
    },
    DELETE: {
      summary: 'Remove a way to sign in',
      caller: ['access_token'],
      scopes: [DELETE],
      answers: { 204: { says: 'It is removed' } },
      examples: { one: { path: { id: '<authentication method>' } } },
    },
  }),
)

const idIn = ({ params: { id = '' } }: HttpRequest): string => id
