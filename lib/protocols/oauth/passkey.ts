// Passkeys for applications that ask a browser or a device themselves (the contract's native passkeys; threat-model.md PK7).
// - Starting stores nothing. The `auth_session` says whether it signs up or signs in, for which client and at which connection.
//   The shape of the response does not decide.
// - A challenge names no user: any discoverable credential may answer.

import type { Client } from '../../data/clients/client'
import { androidOrigins } from '../../data/clients/mobile-apps'
import { isPattern } from '../../data/clients/url-patterns'
import {
  type ConnectionPort,
  chooseDatabase,
  chooseRealm,
  type DatabaseConnection,
  isDatabase,
} from '../../data/connections/connection'
import { enabledIn, namedIn, type OrganizationPort } from '../../data/organizations/organization'
import type { TenantSettings } from '../../data/tenants/settings'
import { newUserHandle } from '../../data/users/passkey'
import type { UserPort } from '../../data/users/user'
import type { SignUpDeps, SignUpInput } from '../../identity/accounts/sign-up'
import { readPerson } from '../../identity/accounts/sign-up-person'
import { beginCeremony, type CeremonyDeps, ceremonyKind } from '../../identity/passkeys/ceremony'
import {
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from '../../identity/passkeys/options'
import { offersPasskeys, takesPasskeySignUp, verificationOf } from '../../identity/passkeys/passkeys'
import { originOf, type PasskeySite, relyingPartyIdOf } from '../../identity/passkeys/relying-party'
import { DomainError, invalidRequest } from '../../kernel/errors'
import { canonical } from '../../kernel/mail-address'
import { originOf as pageOriginOf } from '../../kernel/origin'
import { databaseIn } from '../../login/flow/organization'

/** The lifetime of an `auth_session`, as its answer says. */
const SECONDS = 60

/** `organizationId` is null, or absent in a session of the previous release, for a login to none. */
type Started = { clientId: string; connectionId: string; organizationId?: string | null }

export type SignUpProfile = Omit<SignUpInput, 'password' | 'passkey'>

export type ApiCeremony =
  | (Started & { does: 'sign-in' })
  | (Started & { does: 'sign-up'; handle: string; profile: SignUpProfile })

export const API_CEREMONY = ceremonyKind<ApiCeremony>('api', SECONDS)

/** The origins of the pages and apps that may ask for the client. A pattern names no page, so it admits none. */
export const pagesOf = ({ settings }: Client, site: PasskeySite): string[] => [
  originOf(site),
  ...settings.web_origins.flatMap((entry) => pageOriginOf(entry) ?? []).filter((origin) => !isPattern(origin)),
  ...androidOrigins(settings.mobile),
]

type Deps = CeremonyDeps &
  PasskeySite & { connections: ConnectionPort; organizations: OrganizationPort; settings: TenantSettings }

/** Where the person signs in or up: a database connection, and an organization that enables it. */
type Place = { realm: string | undefined; organization: string | undefined }

type Answer<Options> = { auth_session: string; authn_params_public_key: Options }

export async function startPasskeySignIn(place: Place, client: Client, deps: Deps): Promise<Answer<RequestOptions>> {
  const { connection, started } = await placeOf(place, client, deps)
  const how = { seconds: SECONDS, userVerification: verificationOf(connection) }
  const payload = { does: 'sign-in' as const, ...started }
  const { session, challenge } = beginCeremony(API_CEREMONY, payload, deps)
  return {
    auth_session: session,
    authn_params_public_key: requestOptions(challenge, relyingPartyIdOf(deps), how),
  }
}

/** An identifier that exists is reported, as the contract says. */
export async function startPasskeySignUp(
  place: Place,
  profile: SignUpProfile,
  client: Client,
  deps: Deps & SignUpDeps & { users: UserPort },
): Promise<Answer<CreationOptions>> {
  const { connection, started } = await placeOf(place, client, deps)
  if (connection.settings.options.disable_signup || !takesPasskeySignUp(connection, deps))
    throw invalidRequest('The connection takes no sign-up with a passkey', { reason: 'sign_up_disabled' })
  const person = readPerson(connection, { ...profile, password: null })
  if ('problem' in person) throw invalidRequest(person.problem, { reason: 'sign_up_malformed' })
  const names = [person.email, ...(typeof person.username === 'string' ? [person.username] : [])]
  for (const name of names)
    if (await deps.users.findAccount(connection.id, canonical(name)))
      throw invalidRequest('The user already exists.', { reason: 'address_taken' })
  const handle = newUserHandle(deps.random)
  const payload: ApiCeremony = {
    ...{ does: 'sign-up', ...started },
    handle: Buffer.from(handle).toString('base64url'),
    profile,
  }
  const { session, challenge } = beginCeremony(API_CEREMONY, payload, deps)
  const how = { seconds: SECONDS, userVerification: verificationOf(connection) }
  const user = { handle, name: person.email, displayName: profile.name ?? person.email }
  return {
    auth_session: session,
    authn_params_public_key: creationOptions(challenge, relyingPartyIdOf(deps), user, how),
  }
}

async function placeOf(
  { realm, organization: named }: Place,
  client: Client,
  deps: Deps,
): Promise<{ connection: DatabaseConnection; started: Started }> {
  const { connections, settings, baseUrl } = deps
  const organization = await namedIn(named, client.settings.organization_usage, deps)
  const all = enabledIn(organization, await connections.all())
  const found =
    realm === undefined
      ? chooseDatabase(all, client, undefined, settings.tenant.default_directory)
      : chooseRealm(all, client, realm)
  if (!isDatabase(found)) throw invalidRequest('Unknown or invalid realm.', { reason: 'connection_unknown' })
  if (!offersPasskeys(found, { baseUrl }))
    throw new DomainError('not_found', 'Passkeys are not enabled.', { reason: 'passkeys_disabled' })
  return {
    connection: databaseIn(organization, null, found),
    started: { clientId: client.clientId, connectionId: found.id, organizationId: organization?.id ?? null },
  }
}
