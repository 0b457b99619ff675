// Shared by /passkey/*: the client, which must be first-party and may use the grant that ends what it starts.
import type { Client } from '../../data/clients/client'
import { optional } from '../../http/description'
import { type HttpRequest, textMember } from '../../http/message'
import { authenticateClient, credentialsIn } from '../../protocols/oauth/client-authentication'
import { grantFor } from '../../protocols/oauth/grants/index'
import { WEBAUTHN } from '../../protocols/oauth/grants/webauthn'
import type { Runtime } from '../runtime/runtime'
import { credentials } from './schemas'

type Members = Readonly<Record<string, unknown>>

export const shared = () => ({
  ...credentials(),
  realm: optional('The database connection; the default is the default directory'),
  organization: optional('The organization to sign in to: its id, or its name where the tenant allows names'),
})

const textIn = (members: Members, name: string): string | undefined => textMember(members, name) || undefined

export const placeIn = (members: Members) => ({
  realm: textIn(members, 'realm'),
  organization: textIn(members, 'organization'),
})

export async function clientOf(request: HttpRequest, members: Members, runtime: Runtime): Promise<Client> {
  const client = await authenticateClient(request, credentialsIn(members), runtime)
  grantFor(WEBAUTHN, client, runtime)
  return client
}
