// A public key that an application registers for the device it runs on (the contract's /api/v2/device-credentials).
// - Public keys alone: a refresh token is no record that anybody may write, and is kept nowhere but in its family.
// - Bounded in number and size; the application that the token was issued to is the one it is registered for.
import * as z from 'zod'
import type { ProofStanding } from './first-proof'

export type DeviceCredential = {
  /** `dcr_<random>` */
  id: string
  userId: string
  clientId: string
  type: 'public_key'
  deviceName: string
  deviceId: string
  /** Base64. */
  value: string
  createdAt: Date
}

/** Of one user. */
export const MAX_DEVICE_CREDENTIALS = 50

export type DeviceCredentialPort = {
  /** False when the user has as many as there may be, is gone, or proved the address meanwhile. */
  insert(credential: DeviceCredential, owner: ProofStanding): Promise<boolean>
  /** False when it is none of the user's. */
  remove(userId: string, id: string): Promise<boolean>
}

const text = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((value) => !value.includes('\0') && value.isWellFormed())

export const newDeviceCredential = z.strictObject({
  device_name: text(255),
  type: z.literal('public_key'),
  value: z
    .string()
    .min(1)
    .max(8192)
    .regex(/^[A-Za-z0-9+/_-]+={0,2}$/),
  device_id: text(255),
  client_id: text(255).optional(),
})
