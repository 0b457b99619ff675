// The device flow (RFC 8628): a device polls with a secret while a person types its short code elsewhere. It expires after fifteen
// minutes.
// - The decision is one conditional statement: the first of an approval and a denial counts.
// - A poll is one statement: it returns the state and enforces the interval (RFC 8628 3.5).
// - An approval is redeemed exactly once, by the creation of its token family (family.ts).
import type { Authentication } from './family'

export const DEVICE_SECONDS = 900
/** The first interval between polls, in seconds; each early poll adds as much. */
export const POLL_SECONDS = 5

export type DeviceAuthorization = {
  digest: Uint8Array
  userCodeDigest: Uint8Array
  clientId: string
  scopes: string[]
  audience: string | null
  familyId: string
  createdAt: Date
  expiresAt: Date
}

/** `scopes` are those at the end of the login: actions may have changed the requested ones. */
export type Approval = { userId: string; sid: string; authentication: Authentication; scopes: string[] }

type Standing = Pick<DeviceAuthorization, 'scopes' | 'audience' | 'familyId'> & {
  /** The interval that was in force, in seconds. */
  intervalSeconds: number
  expired: boolean
  /** The poll came before the interval had passed. */
  early: boolean
}

export type ApprovedDevice = Standing & Approval & { status: 'approved'; decidedAt: Date }
export type PolledDevice = (Standing & { status: 'pending' }) | (Standing & { status: 'denied' }) | ApprovedDevice

export type WaitingDevice = Pick<DeviceAuthorization, 'digest' | 'clientId' | 'scopes' | 'audience' | 'familyId'>

export type DevicePort = {
  /** False if the user code is taken. */
  insert(device: DeviceAuthorization): Promise<boolean>
  /** Null for a code that this client did not request, or whose expiry was reported already. */
  poll(digest: Uint8Array, clientId: string, now: Date): Promise<PolledDevice | null>
  /** The pending device with this code. */
  findWaiting(userCodeDigest: Uint8Array, now: Date): Promise<WaitingDevice | null>
  /** Null denies. False if the device is no longer pending. */
  decide(digest: Uint8Array, approval: Approval | null, at: Date): Promise<boolean>
}
