// The device flow as a protocol of the login pipeline (RFC 8628 3.3): its request is a waiting device that the person has
// confirmed, and its answer goes to that device, when it polls. The browser is only told how it ended.
import { type HttpResponse, redirect } from '../../http/message'
import { type Clock, epochSeconds } from '../../kernel/clock'
import { plainWants } from '../../login/begin/plain-wants'
import type { LoginOutcome, LoginProtocol, Wants } from '../../login/transaction'
import type { Approval, DevicePort, WaitingDevice } from '../../tokens/device-authorization'

export const ACTIVATE_PATH = '/activate'

/** How it ended for the person who typed the code. */
export const DEVICE_RESULTS = ['connected', 'refused', 'expired'] as const
export type DeviceResult = (typeof DEVICE_RESULTS)[number]

/** The device by its digest, which is no secret. */
type DeviceRequest = { device: string }

export type DeviceProtocolDeps = { baseUrl: string; clock: Clock; devices: DevicePort }

export const deviceProtocol = (deps: DeviceProtocolDeps): LoginProtocol => ({
  async respond(request, outcome) {
    const approved = await deps.devices.decide(digestOf(request), approvalOf(outcome), deps.clock.now())
    return showResult(approved ? 'connected' : 'expired', deps)
  },
  refuse: (request) => refuseDevice(digestOf(request), deps),
  describe: () => ({ protocol: 'oauth2-device-code' }),
  restartUrl: () => deps.baseUrl + ACTIVATE_PATH,
})

export async function refuseDevice(digest: Uint8Array, deps: DeviceProtocolDeps): Promise<HttpResponse> {
  const refused = await deps.devices.decide(digest, null, deps.clock.now())
  return showResult(refused ? 'refused' : 'expired', deps)
}

const showResult = (result: DeviceResult, { baseUrl }: DeviceProtocolDeps): HttpResponse =>
  redirect(`${baseUrl}${ACTIVATE_PATH}?result=${result}`, 303)

const digestOf = (request: unknown): Buffer => Buffer.from((request as DeviceRequest).device, 'base64url')

const approvalOf = ({ user, sid, authTime, evidence, scopes, custom }: LoginOutcome): Approval => ({
  userId: user.id,
  sid,
  scopes,
  authentication: {
    time: epochSeconds(authTime),
    methods: evidence.map((proof) => proof.method),
    tell: false,
    ...(custom === undefined ? {} : { custom }),
  },
})

export const deviceOrigin = ({ digest }: WaitingDevice) => {
  const request: DeviceRequest = { device: Buffer.from(digest).toString('base64url') }
  return { protocol: 'device' as const, request }
}

/** There is no address to return to; what a session has proven counts, since the person has just confirmed. */
export const deviceWants = ({ clientId, scopes, audience }: WaitingDevice): Wants =>
  plainWants({ clientId, scopes, audience })
