// A public key that an application registers for its device (the contract's /api/v2/device-credentials).
// - Public keys only: refresh tokens are not writable records; they exist only in their families.
// - Bounded in number and size. The credential belongs to the application that the access token was issued to.
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

/** Per user. */
export const MAX_DEVICE_CREDENTIALS = 50

export type DeviceCredentialPort = {
  /** False if the user has the maximum, no longer exists, or verified the address in the meantime. */
  insert(credential: DeviceCredential, owner: ProofStanding): Promise<boolean>
  /** False if the user has no such credential. */
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
