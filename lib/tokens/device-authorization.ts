// A device that waits until a person has signed in elsewhere (RFC 8628): it holds a secret that it polls with, the person
// types a short code. Fifteen minutes, then it is over.
// - Deciding is one conditional statement: of a confirmation and a refusal the first counts.
// - Polling is one statement too: it says how things stand and keeps the device to its interval (RFC 8628 3.5).
// - What an approval is worth is redeemed by the birth of its token family (family.ts), exactly once.
import type { Authentication } from './family'

export const DEVICE_SECONDS = 900
/** Between polls, at first; each poll that comes too early adds as much. */
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

/** `scopes` are those that the login ended with: rules may have changed what the device asked for. */
export type Approval = { userId: string; sid: string; authentication: Authentication; scopes: string[] }

type Standing = Pick<DeviceAuthorization, 'scopes' | 'audience' | 'familyId'> & {
  /** Seconds that the device had been told to leave between polls. */
  intervalSeconds: number
  expired: boolean
  /** It did not leave them. */
  early: boolean
}

export type ApprovedDevice = Standing & Approval & { status: 'approved'; decidedAt: Date }
export type Polled = (Standing & { status: 'pending' }) | (Standing & { status: 'denied' }) | ApprovedDevice

export type WaitingDevice = Pick<DeviceAuthorization, 'digest' | 'clientId' | 'scopes' | 'audience'>

export type DevicePort = {
  /** False when the user code is taken. */
  insert(device: DeviceAuthorization): Promise<boolean>
  /** Null for what this client never began, or what it has heard to be over. */
  poll(digest: Uint8Array, clientId: string, now: Date): Promise<Polled | null>
  /** The device that waits for this code. */
  findWaiting(userCodeDigest: Uint8Array, now: Date): Promise<WaitingDevice | null>
  /** Null refuses. False when it does not wait any more. */
  decide(digest: Uint8Array, approval: Approval | null, at: Date): Promise<boolean>
}
