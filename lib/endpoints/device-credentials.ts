// POST /api/v2/device-credentials and DELETE /api/v2/device-credentials/{id}: the public keys of a person's devices (the
// contract's "Management API token for single-page applications").
// - The token's own user and own application (threat-model.md TK6): another's is one that does not exist.
import { defineEndpoint } from '../http/endpoint'
import { empty, json, jsonMembers, withHeaders } from '../http/message'
import { apiJson } from '../http/render-errors'
import { invalidRequest, notFound } from '../kernel/errors'
import { alphanumeric } from '../kernel/random'
import type { Runtime } from '../runtime/runtime'
import { type DeviceCredential, newDeviceCredential } from '../users/device-credential'
import { type Caller, callerWith } from './current-user'

export const deviceCredentials = defineEndpoint<Runtime>({
  name: 'api.device_credentials',
  cors: 'registered',
  errors: apiJson,
  methods: {
    async POST(request, runtime) {
      const caller = await callerWith(['create:current_user_device_credentials'], request, runtime)
      const credential = readCredential(jsonMembers(request), caller, runtime)
      if (!(await runtime.deviceCredentials.insert(credential))) throw invalidRequest('Too many devices are registered')
      runtime.trail.tell('changed', { change: 'device credential added' })
      return withHeaders(json({ id: credential.id }, 201), ...caller.limit)
    },
  },
})

export const deviceCredential = defineEndpoint<Runtime>({
  name: 'api.device_credential',
  cors: 'registered',
  errors: apiJson,
  methods: {
    async DELETE(request, runtime) {
      const { user, limit } = await callerWith(['delete:current_user_device_credentials'], request, runtime)
      const removed = await runtime.deviceCredentials.remove(user.id, request.params.id ?? '')
      if (!removed) {
        throw notFound('The device credential does not exist', { members: { errorCode: 'inexistent_credential' } })
      }
      runtime.trail.tell('changed', { change: 'device credential removed' })
      return withHeaders(empty(204), ...limit)
    },
  },
})

function readCredential(
  members: Readonly<Record<string, unknown>>,
  { user, client }: Caller,
  { random, clock }: Runtime,
): DeviceCredential {
  const read = newDeviceCredential.safeParse({ ...members })
  if (!read.success) {
    const [at] = read.error.issues.map(({ path }) => path.join('.'))
    throw invalidRequest(at ? `Invalid property: ${at}` : 'Invalid device credential')
  }
  const { device_name, device_id, type, value, client_id } = read.data
  if (client_id !== undefined && client_id !== client.clientId) throw invalidRequest('Invalid property: client_id')
  const id = `dcr_${alphanumeric(random, 16)}`
  const device = { deviceName: device_name, deviceId: device_id, type, value }
  return { id, userId: user.id, clientId: client.clientId, ...device, createdAt: clock.now() }
}
