// Makes the answer of a SAML or WS-Federation add-on for its test (protocol.ts), and reads it as the application would, against the metadata that this
// server publishes.
// - Of an encrypted assertion the application alone has the key, so it is made without encryption, and the step says so.
// - The application does not take part in the session, so no logout is sent to it.
import type { KeyObject } from 'node:crypto'
import { verifyJwt } from '../../crypto/keys/jwt'
import { certificateOf, publicKeyOf } from '../../crypto/saml/certificate'
import { type AssertionCheck, checksOf } from '../../crypto/saml/check-list'
import type { VerifiedAssertion } from '../../crypto/saml/response-checks'
import { StatusError } from '../../crypto/saml/status-error'
import type { XmlReader } from '../../crypto/saml/xml-reader'
import type { Trail } from '../../data/audit/trail'
import type { Client } from '../../data/clients/client'
import { samlOf } from '../../data/clients/saml'
import { wsfedOf } from '../../data/clients/wsfed'
import { claimsOf, type InspectedStep, lineOf, type StepLine } from '../../data/logins/step'
import { addSeconds, PROVIDER_SKEW_SECONDS } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { LoginOutcome } from '../../login/transaction'
import { writeMetadata } from '../saml/metadata'
import { type SamlDeps, samlProtocol } from '../saml/response'
import { writeFederationMetadata } from '../wsfed/metadata'
import { type WsFedDeps, wsfedProtocol } from '../wsfed/response'
import type { TestRequest } from './protocol'

export type AnswerTestDeps = SamlDeps & WsFedDeps & { readXml: XmlReader; trail: Trail }

/** The step that reading the answer came to. */
export async function readTestAnswer(
  tested: TestRequest,
  outcome: LoginOutcome,
  deps: AnswerTestDeps,
): Promise<InspectedStep> {
  const protocol =
    tested.protocol === 'samlp'
      ? samlProtocol({ ...deps, samlParticipants: { ...deps.samlParticipants, record: async () => {} } })
      : wsfedProtocol(deps)
  const answer = await protocol.respond(tested.request, unencrypted(outcome), deps.trail)
  return stepOf(tested, answer.kind === 'form' ? answer.fields : {}, outcome.client, deps)
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
    return withoutSkew(await deps.readXml('response', { encoded, expected: { ...expected, inResponseTo: null } }))
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
  return withoutSkew(await deps.readXml('token', { source: fields.wresult ?? '', expected }))
}

/** The end that the assertion itself names. */
const withoutSkew = (read: VerifiedAssertion): Read => ({
  ...read,
  until: addSeconds(read.until, -PROVIDER_SKEW_SECONDS),
})

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
