// POST /api/v2/device-credentials and DELETE /api/v2/device-credentials/{id}: the public keys of a user's devices (the
// contract's "Management API token for single-page applications").
// - Only for the token's own user and client (threat-model.md TK6); any other credential answers as if it did not exist.

import * as z from 'zod'
import type { PersonalScope } from '../../../data/apis/built-in'
import { type DeviceCredential, newDeviceCredential } from '../../../data/users/device-credential'
import { empty, json, jsonMembers } from '../../../http/message'
import { invalidRequest, malformedParameter, notFound } from '../../../kernel/errors'
import { alphanumeric } from '../../../kernel/random'
import type { Bearer } from '../../../protocols/oauth/bearer'
import { callerWith, defineCurrentUserEndpoint } from '../../requests/current-user-endpoint'
import type { Runtime } from '../../runtime/runtime'

const CREATE: PersonalScope[] = ['create:current_user_device_credentials']
const REMOVE: PersonalScope[] = ['delete:current_user_device_credentials']

export const deviceCredentials = defineCurrentUserEndpoint(
  'api.device_credentials',
  {
    async POST(request, runtime, count) {
      const caller = await callerWith(CREATE, request, runtime, count)
      const credential = readCredential(jsonMembers(request), caller, runtime)
      if (!(await runtime.deviceCredentials.insert(credential, caller.user)))
        throw invalidRequest('Too many devices are registered')
      runtime.trail.record('changed', { change: 'device credential added' })
      return json({ id: credential.id }, 201)
    },
  },
  () => ({
    POST: {
      summary: 'Register the public key of a device',
      caller: ['access_token'],
      scopes: CREATE,
      body: newDeviceCredential,
      encoding: 'json',
      answers: { 201: { says: 'Its id', schema: z.object({ id: z.string() }) } },
      examples: {
        phone: { body: { device_name: 'Phone', device_id: 'phone-1', type: 'public_key', value: 'TUlJQklqQU5C' } },
      },
    },
  }),
)

export const deviceCredential = defineCurrentUserEndpoint(
  'api.device_credential',
  {
    async DELETE(request, runtime, count) {
      const { user } = await callerWith(REMOVE, request, runtime, count)
      const removed = await runtime.deviceCredentials.remove(user.id, request.params.id ?? '')
      if (!removed) {
        throw notFound('The device credential does not exist', { members: { errorCode: 'inexistent_credential' } })
      }
      runtime.trail.record('changed', { change: 'device credential removed' })
      return empty(204)
    },
  },
  () => ({
    DELETE: {
      summary: 'Remove the public key of a device',
      caller: ['access_token'],
      scopes: REMOVE,
      answers: { 204: { says: 'It is removed' } },
      examples: { phone: { path: { id: '<device credential>' } } },
    },
  }),
)

function readCredential(
  members: Readonly<Record<string, unknown>>,
  { user, client }: Bearer,
  { random, clock }: Runtime,
): DeviceCredential {
  const read = newDeviceCredential.safeParse({ ...members })
  if (!read.success) {
    const [at] = read.error.issues.map(({ path }) => path.join('.'))
    throw at ? malformedParameter(at, `Invalid property: ${at}`) : invalidRequest('Invalid device credential')
  }
  const { device_name, device_id, type, value, client_id } = read.data
  if (client_id !== undefined && client_id !== client.clientId)
    throw malformedParameter('client_id', 'Invalid property: client_id')
  const id = `dcr_${alphanumeric(random, 16)}`
  const device = { deviceName: device_name, deviceId: device_id, type, value }
  return { id, userId: user.id, clientId: client.clientId, ...device, createdAt: clock.now() }
}
