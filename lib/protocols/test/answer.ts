// The test of a SAML or WS-Federation add-on (docs/adr/0072): a login of the application by its protocol, whose answer is made and never sent. It is
// read here as the application would, against the metadata that this server publishes; the login inspector shows what that says.
// - The answer goes to no browser: neither its form nor its address is part of the response. A test needs no address that is open to it.
// - Of an encrypted assertion the application alone has the key, so it is made without encryption, and the step says so.
// - The application does not take part in the session, which ends at once, so no logout is sent to it.
import type { KeyObject } from 'node:crypto'
import { verifyJwt } from '../../crypto/keys/jwt'
import type { Keyring } from '../../crypto/keys/keyring'
import { certificateOf, publicKeyOf } from '../../crypto/saml/certificate'
import { type AssertionCheck, checksOf } from '../../crypto/saml/check-list'
import type { VerifiedAssertion } from '../../crypto/saml/response-checks'
import { StatusError } from '../../crypto/saml/status-error'
import type { XmlReader } from '../../crypto/saml/xml-reader'
import type { Client } from '../../data/clients/client'
import { samlOf } from '../../data/clients/saml'
import { wsfedOf } from '../../data/clients/wsfed'
import type { TestedProtocol } from '../../data/login-tests/login-test'
import { claimsOf, type InspectedStep, lineOf, type StepLine } from '../../data/logins/step'
import type { SessionPort } from '../../data/sessions/session'
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import type { LoginOutcome, LoginProtocol } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'
import { writeMetadata } from '../saml/metadata'
import { type SamlDeps, samlProtocol } from '../saml/response'
import { writeFederationMetadata } from '../wsfed/metadata'
import { type WsFedDeps, wsfedProtocol } from '../wsfed/response'

/** Stored with the transaction: the request that the application could have sent. */
export type TestRequest = {
  protocol: TestedProtocol
  request: unknown
  login: string
  reply: string
  realm: string | null
}

export type AnswerTestDeps = SamlDeps &
  WsFedDeps & {
    keyring: Keyring
    clock: Clock
    readXml: XmlReader
    sessions: Pick<SessionPort, 'revoke'>
    /** Resolves when the steps of logins of this process are stored. */
    storeLogins(): Promise<void>
  }

export const testProtocol = (deps: AnswerTestDeps): LoginProtocol => {
  const inner = {
    samlp: samlProtocol({ ...deps, samlParticipants: { ...deps.samlParticipants, record: async () => {} } }),
    wsfed: wsfedProtocol(deps),
  }
  const shown = ({ login }: TestRequest): VisitorResponse => ({
    kind: 'see-other',
    to: `${deps.baseUrl}/console/logins/${login}`,
  })
  return {
    async respond(request, outcome, trail) {
      const tested = request as TestRequest
      const answer = await inner[tested.protocol].respond(tested.request, unencrypted(outcome), trail)
      const fields = answer.kind === 'form' ? answer.fields : {}
      const step = await stepOf(tested, fields, outcome.client, deps)
      trail.step(step)
      if (step.outcome === 'failed')
        trail.record('login_refused', { reason: step.reason as Reason, sentence: step.says ?? '' })
      await deps.sessions.revoke(outcome.sid, deps.clock.now(), true)
      await trail.settled()
      await deps.storeLogins()
      return shown(tested)
    },
    refuse: (request) => shown(request as TestRequest),
    describe: (request) => {
      const tested = request as TestRequest
      return inner[tested.protocol].describe(tested.request)
    },
    restart: () => null,
  }
}

/** Else an action could still name a certificate of its own. */
const unencrypted = (outcome: LoginOutcome): LoginOutcome => ({
  ...outcome,
  client: withoutEncryption(outcome.client),
  ...(outcome.saml && { saml: { ...outcome.saml, settings: without(outcome.saml.settings) } }),
})

function without<Settings extends object>(settings: Settings): Settings {
  const { encryptionCert: _, ...others } = settings as Settings & { encryptionCert?: unknown }
  return others as Settings
}

function withoutEncryption(client: Client): Client {
  const { addons } = client.settings
  return addons?.samlp === undefined
    ? client
    : { ...client, settings: { ...client.settings, addons: { ...addons, samlp: without(addons.samlp) } } }
}

type Read = Pick<VerifiedAssertion, 'checks' | 'issuer' | 'attributes' | 'until'> & {
  nameId: { value: string; format?: string | null } | null
}

/** What reading the answer as its application came to. */
async function stepOf(
  tested: TestRequest,
  fields: Readonly<Record<string, string>>,
  client: Client,
  deps: AnswerTestDeps,
): Promise<InspectedStep> {
  const about = [lineOf('address', 'none', { value: tested.reply }), ...encryptionLines(client, tested)]
  try {
    const read = await readAnswer(tested, fields, client, deps)
    return {
      kind: 'tokens',
      subject: tested.protocol,
      outcome: 'ok',
      lines: [...about, ...checkLines(read.checks), ...mappingLines(tested, client, read)],
      claims: { assertion: claimsOf(shownClaims(read)) },
    }
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof StatusError)) throw error
    return {
      kind: 'tokens',
      subject: tested.protocol,
      outcome: 'failed',
      reason: 'answer_unfit',
      says:
        error instanceof StatusError
          ? `The application would be answered with the status ${error.message}.`
          : `The application would refuse the answer: ${error.description}.`,
      lines: [...about, ...checkLines(checksOf(error))],
    }
  }
}

const checkLines = (checks: readonly AssertionCheck[]): StepLine[] =>
  checks.map(({ name, problem }) => lineOf(name, problem === null ? 'ok' : 'failed', { says: problem ?? undefined }))

function encryptionLines(client: Client, { protocol }: TestRequest): StepLine[] {
  const certificate = protocol === 'samlp' ? samlOf(client)?.encryptionCert : undefined
  if (certificate === undefined) return []
  return certificateOf(certificate) === null
    ? [lineOf('encryption', 'failed', { says: 'encryptionCert is no certificate with an RSA key' })]
    : [lineOf('encryption', 'ok', { says: 'the application gets the assertion encrypted; the test reads it without' })]
}

async function readAnswer(
  tested: TestRequest,
  fields: Readonly<Record<string, string>>,
  client: Client,
  deps: AnswerTestDeps,
): Promise<Read> {
  const now = deps.clock.now()
  const addresses = [tested.reply, ...client.settings.callbacks]
  if (tested.protocol === 'samlp') {
    const settings = samlOf(client)
    if (!settings) throw new Error('the login has answered by SAML')
    const { entityId, certificates } = await deps.readXml('idpMetadata', writeMetadata(client.clientId, settings, deps))
    const audience = settings.audience ?? tested.reply
    const expected = { now, keys: keysOf(certificates), decryptionKeys: [], issuer: entityId, audience, addresses }
    const encoded = fields.SAMLResponse ?? ''
    return deps.readXml('response', { encoded, expected: { ...expected, inResponseTo: null } })
  }
  const settings = wsfedOf(client)
  if (!settings) throw new Error('the login has answered by WS-Federation')
  const audience = settings.audience ?? tested.realm ?? ''
  if (settings.tokenType === 'jwt') return readJwt(fields.wresult ?? '', audience, deps)
  const issuer = settings.issuer ?? deps.entityId
  const endpoint = `${deps.baseUrl}/wsfed/${encodeURIComponent(client.clientId)}`
  const published = writeFederationMetadata({ issuer, endpoint, certificates: deps.keyring.certificates })
  const { entityId, certificates } = await deps.readXml('federationMetadata', published)
  const expected = { now, keys: keysOf(certificates), decryptionKeys: [], issuer: entityId, audience, addresses }
  return deps.readXml('token', { source: fields.wresult ?? '', expected })
}

const keysOf = (certificates: readonly string[]): KeyObject[] =>
  certificates.flatMap((certificate) => publicKeyOf(certificate) ?? [])

async function readJwt(token: string, audience: string, { entityId, keyring, clock }: AnswerTestDeps): Promise<Read> {
  const { sub, iss, exp, aud, iat, jti, auth_time, ...claims } = await verifyJwt(
    token,
    { issuer: entityId, types: ['JWT'], audience, now: clock.now() },
    keyring,
  )
  return {
    checks: (['signature', 'issuer', 'conditions', 'audience'] as const).map((name) => ({ name, problem: null })),
    issuer: iss ?? '',
    nameId: sub === undefined ? null : { value: sub },
    until: new Date((exp ?? 0) * 1000),
    attributes: new Map(Object.entries(claims).map(([name, value]) => [name, [value].flat().map(String)])),
  }
}

const shownClaims = ({ issuer, nameId, until, attributes }: Read): Record<string, unknown> => ({
  issuer,
  name_id: nameId?.value,
  ...(nameId?.format ? { name_id_format: nameId.format } : {}),
  expires: until.toISOString(),
  ...Object.fromEntries([...attributes].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
})

/** Each claim that the settings map: whether the assertion has its attribute. */
function mappingLines({ protocol }: TestRequest, client: Client, { attributes }: Read): StepLine[] {
  const settings = protocol === 'samlp' ? samlOf(client) : wsfedOf(client)
  // A JWT has the plain names of the profile.
  if (!settings || ('tokenType' in settings && settings.tokenType === 'jwt')) return []
  return Object.entries(settings.mappings).flatMap(([claim, names]) =>
    [names]
      .flat()
      .map((name) =>
        attributes.has(name)
          ? lineOf(`mapping of ${claim}`, 'ok', { value: name })
          : lineOf(`mapping of ${claim}`, 'ignored', { value: name, says: 'the profile has no value for it' }),
      ),
  )
}
