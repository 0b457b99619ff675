// The device flow as a protocol of the login pipeline (RFC 8628 3.3). The request is a waiting device that the user has
// confirmed. The device gets the answer when it polls; the browser shows the result only.
import { type Clock, epochSeconds } from '../../kernel/clock'
import { plainWants } from '../../login/begin/plain-wants'
import type { LoginOutcome, LoginProtocol, Wants } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'
import type { Approval, DevicePort, WaitingDevice } from '../../tokens/device-authorization'
import { proofOf } from '../../tokens/family'

export const ACTIVATE_PATH = '/activate'

/** The result that is shown to the user who typed the code. */
export const DEVICE_RESULTS = ['connected', 'refused', 'expired'] as const
export type DeviceResult = (typeof DEVICE_RESULTS)[number]

/** The device is identified by its digest, which is not a secret. */
type DeviceRequest = { device: string }

export type DeviceProtocolDeps = { baseUrl: string; clock: Clock; devices: DevicePort }

export const deviceProtocol = (deps: DeviceProtocolDeps): LoginProtocol => ({
  async respond(request, outcome) {
    const approved = await deps.devices.decide(digestOf(request), approvalOf(outcome), deps.clock.now())
    return showResult(approved ? 'connected' : 'expired', deps)
  },
  refuse: (request) => refuseDevice(digestOf(request), deps),
  describe: () => ({ protocol: 'oauth2-device-code' }),
  restart: () => ({ url: deps.baseUrl + ACTIVATE_PATH, replays: false }),
})

export async function refuseDevice(digest: Uint8Array, deps: DeviceProtocolDeps): Promise<VisitorResponse> {
  const refused = await deps.devices.decide(digest, null, deps.clock.now())
  return showResult(refused ? 'refused' : 'expired', deps)
}

const showResult = (result: DeviceResult, { baseUrl }: DeviceProtocolDeps): VisitorResponse => ({
  kind: 'see-other',
  to: `${baseUrl}${ACTIVATE_PATH}?result=${result}`,
})

const digestOf = (request: unknown): Buffer => Buffer.from((request as DeviceRequest).device, 'base64url')

const approvalOf = ({
  user,
  sid,
  authTime,
  evidence,
  scopes,
  custom,
  refresh,
  organization,
  login,
}: LoginOutcome): Approval => ({
  userId: user.id,
  sid,
  scopes,
  authentication: {
    login,
    time: epochSeconds(authTime),
    ...proofOf(evidence, scopes),
    tell: false,
    ...(organization === undefined ? {} : { organization: organization.id }),
    ...(custom === undefined ? {} : { custom }),
    ...(refresh === undefined ? {} : { refresh }),
  },
})

export const deviceOrigin = ({ digest }: WaitingDevice) => {
  const request: DeviceRequest = { device: Buffer.from(digest).toString('base64url') }
  return { protocol: 'device' as const, request }
}

/** The device flow has no redirect URI. An existing session suffices, because the user has just confirmed the device. */
export const deviceWants = ({ clientId, scopes, audience }: WaitingDevice): Wants => ({
  ...plainWants({ clientId, scopes, audience }),
  startedElsewhere: true,
})
