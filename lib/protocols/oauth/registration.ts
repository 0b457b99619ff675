// Dynamic client registration and its management (RFC 7591 3, RFC 7592 2).
// - The secret and the registration access token are returned once and stored as digests. Reading returns neither.
// - The token permits to read, replace and remove. A wrong token, an unknown id and a removed client have one answer.
// - Replacing is complete: an omitted member is removed. Settings that an operator added stay.

import type { Keyring } from '../../crypto/keys/keyring'
import {
  algorithmsOf,
  type Client,
  type ClientRecord,
  SECRET_PURPOSE,
  toClient,
  usesSecret,
} from '../../data/clients/client'
import { type SecurityProfile, underProfile } from '../../data/clients/fapi2'
import {
  describeClient,
  type RegisteredRecord,
  type RegistrationPort,
  readMetadata,
} from '../../data/clients/registration'
import type { Clock } from '../../kernel/clock'
import { DomainError, invalidToken } from '../../kernel/errors'
import { alphanumeric, type Random } from '../../kernel/random'
import { digest, equalsConstantTime, mint, type Vault } from '../../kernel/secret'

export type RegistrationDeps = {
  registrations: RegistrationPort
  baseUrl: string
  settings: {
    tenant: { security_profile?: SecurityProfile | undefined; private_use_redirect_uris: readonly string[] }
  }
  clock: Clock
  random: Random
  vault: Vault
  keyring: Pick<Keyring, 'prepare'>
}

type Body = Record<string, unknown>

export async function registerClient(body: Body, deps: RegistrationDeps): Promise<Body> {
  const { security_profile, private_use_redirect_uris } = deps.settings.tenant
  const { name, settings } = readMetadata(body, deps.baseUrl, security_profile, private_use_redirect_uris)
  const token = mint(deps.random)
  const clientId = alphanumeric(deps.random, 32)
  const unsecured = { clientId, name, secretDigest: null, settings: { ...settings, is_first_party: false } }
  const { record, secret } = withSecret(unsecured, deps)
  const now = deps.clock.now()
  await prepareKeys(record, deps)
  await deps.registrations.insert(record, token.digest, now)
  return answer({ ...record, issuedAt: now }, token.plain, secret, deps)
}

export async function readRegistration(clientId: string, token: string | undefined, deps: RegistrationDeps) {
  return answer(await findRegistration(clientId, token, deps), token ?? '', undefined, deps)
}

export async function replaceRegistration(
  clientId: string,
  token: string | undefined,
  body: Body,
  deps: RegistrationDeps,
): Promise<Body> {
  const stored = await findRegistration(clientId, token, deps)
  checkIdentity(body, stored, deps.vault)
  const { profile } = clientOf(stored, deps)
  const { name, settings } = readMetadata(body, deps.baseUrl, profile, deps.settings.tenant.private_use_redirect_uris)
  const { record, secret } = withSecret({ ...stored, name, settings: overlay(stored.settings, settings) }, deps)
  await prepareKeys(record, deps)
  if (!(await deps.registrations.replace(record, digest(token ?? ''), deps.clock.now()))) throw refused()
  return answer({ ...record, issuedAt: stored.issuedAt }, token ?? '', secret, deps)
}

const prepareKeys = (record: ClientRecord, deps: RegistrationDeps): Promise<void> =>
  deps.keyring.prepare(algorithmsOf(clientOf(record, deps).settings))

const clientOf = (record: ClientRecord, { settings }: RegistrationDeps): Client =>
  underProfile(toClient(record), settings.tenant.security_profile)

export async function removeRegistration(
  clientId: string,
  token: string | undefined,
  deps: RegistrationDeps,
): Promise<void> {
  if (!(await deps.registrations.remove(clientId, digest(token ?? '')))) throw refused()
}

async function findRegistration(clientId: string, token: string | undefined, deps: RegistrationDeps) {
  const found = await deps.registrations.find(clientId, digest(token ?? ''))
  if (!found) throw refused()
  return found
}

const refused = () =>
  invalidToken('The registration access token is not valid for this client', { reason: 'registration_token_invalid' })

/** RFC 7592 2.2: the request names the client, and cannot choose a secret. */
function checkIdentity({ client_id, client_secret }: Body, stored: RegisteredRecord, vault: Vault): void {
  if (client_id !== stored.clientId) throw invalidMetadata('client_id must be that of the registered client')
  if (client_secret === undefined) return
  const issued = stored.secretDigest ?? Buffer.alloc(32)
  if (typeof client_secret === 'string' && equalsConstantTime(vault.mac(SECRET_PURPOSE, client_secret), issued)) return
  throw invalidMetadata('client_secret must be the one that was issued')
}

const invalidMetadata = (description: string) => new DomainError('invalid_client_metadata', description)

/** Undefined members remove the stored value: JSON has no undefined. */
const overlay = (stored: unknown, given: Body): Body => ({ ...(stored as Body), ...given })

/** Creates a secret for a client that needs one and has none; removes it where none is needed. */
function withSecret<R extends ClientRecord>(record: R, { random, vault }: RegistrationDeps) {
  if (!usesSecret(toClient(record))) return { record: { ...record, secretDigest: null }, secret: undefined }
  if (record.secretDigest !== null) return { record, secret: undefined }
  const secret = random.token(48)
  return { record: { ...record, secretDigest: vault.mac(SECRET_PURPOSE, secret) }, secret }
}

function answer(record: RegisteredRecord, token: string, secret: string | undefined, deps: RegistrationDeps) {
  const client = clientOf(record, deps)
  return {
    ...describeClient(client, record.issuedAt),
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(usesSecret(client) ? { client_secret_expires_at: 0 } : {}),
    registration_access_token: token,
    registration_client_uri: `${deps.baseUrl}/oidc/register/${client.clientId}`,
  }
}
