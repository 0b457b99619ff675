// The test of a SAML or WS-Federation add-on (docs/adr/0072): a login of the application by its protocol, whose answer is made, read here and never
// sent; the login inspector shows what that says.
// - The answer goes to no browser: neither its form nor its address is part of the response. A test needs no address that is open to it.
// - The session of the login ends at once.
import type { Trail } from '../../data/audit/trail'
import type { TestedProtocol } from '../../data/login-tests/login-test'
import type { InspectedStep } from '../../data/logins/step'
import type { SessionPort } from '../../data/sessions/session'
import type { Clock } from '../../kernel/clock'
import type { Reason } from '../../kernel/reasons'
import type { LoginOutcome, LoginProtocol } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'

/** Stored with the transaction: the request that the application could have sent. */
export type TestRequest = {
  protocol: TestedProtocol
  request: unknown
  login: string
  /** Where the answer would be sent. */
  reply: string
  /** Of WS-Federation. */
  realm: string | null
}

type Deps = {
  baseUrl: string
  clock: Clock
  sessions: Pick<SessionPort, 'revoke'>
  /** The protocol of each add-on. */
  tested: Readonly<Record<TestedProtocol, LoginProtocol>>
  read(request: TestRequest, outcome: LoginOutcome, trail: Trail): Promise<InspectedStep>
  /** Resolves when the steps of logins of this process are stored. */
  storeLogins(): Promise<void>
}

export const testProtocol = ({ baseUrl, clock, sessions, tested, read, storeLogins }: Deps): LoginProtocol => {
  const shown = ({ login }: TestRequest): VisitorResponse => ({
    kind: 'see-other',
    to: `${baseUrl}/console/logins/${login}`,
  })
  return {
    async respond(sent, outcome, trail) {
      const request = sent as TestRequest
      const step = await read(request, outcome, trail)
      trail.step(step)
      if (step.outcome === 'failed')
        trail.record('login_refused', { reason: step.reason as Reason, sentence: step.says ?? '' })
      await sessions.revoke(outcome.sid, clock.now(), true)
      await trail.settled()
      await storeLogins()
      return shown(request)
    },
    refuse: (request) => shown(request as TestRequest),
    describe: (sent) => {
      const { protocol, request } = sent as TestRequest
      return tested[protocol].describe(request)
    },
    restart: () => null,
  }
}
