// The client of a WS-Federation request, and the target of its response (threat-model.md WF1). Until both are proven every error
// is a page of this server.
// - A realm (`wtrealm`) belongs to one client: it is `urn:<client_id>`, or an alias that is unique among clients. The path,
//   `client-id` and the realm must all name the same client.
// - The target is one of the client's callback URLs, compared as a whole, or the first.

import type { Client, ClientPort } from '../../data/clients/client'
import { firstCallback, matchRedirectUri } from '../../data/clients/registered-urls'
import { unregistered } from '../../data/clients/unregistered'
import { type WsFedSettings, wsfedOf } from '../../data/clients/wsfed'
import { type Explained, unauthorizedClient, unknownClientPage, untrustedRedirect } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'

export type WsFedTarget = { client: Client; settings: WsFedSettings; reply: string; context: string | null }

/** Null where the request names no client. */
export async function findRelyingParty(
  parameters: Parameters,
  inPath: string | undefined,
  clients: Pick<ClientPort, 'find' | 'findByAlias'>,
): Promise<Client | null> {
  const { 'client-id': inQuery, wtrealm } = parameters
  const found = await Promise.all([
    inPath === undefined ? null : known(clients.find(inPath), inPath),
    inQuery === undefined ? null : known(clients.find(inQuery), inQuery),
    wtrealm === undefined ? null : known(ownerOf(wtrealm, clients), wtrealm),
  ])
  const [client = null, ...others] = found.filter((one) => one !== null)
  if (others.every(({ clientId }) => clientId === client?.clientId)) return client
  throw untrusted('unknown_client', 'Path, client-id and wtrealm name different clients', parameters, {
    reason: 'clients_differ',
  })
}

async function known(finding: Promise<Client | null>, name: string): Promise<Client> {
  const client = await finding
  if (client) return client
  throw unknownClientPage(name, {})
}

const CLIENT_REALM = /^urn:(.+)$/s

/** Ids take precedence over aliases, so an alias cannot take over another client's realm. */
async function ownerOf(realm: string, clients: Pick<ClientPort, 'find' | 'findByAlias'>): Promise<Client | null> {
  const id = CLIENT_REALM.exec(realm)?.[1]
  const named = id === undefined ? null : await clients.find(id)
  return named ?? clients.findByAlias(realm)
}

/** `organization` is the name of the one that the request is for. */
export function parseSignInTarget(
  parameters: Parameters,
  client: Client | null,
  organization: string | null,
): WsFedTarget {
  if (!client)
    throw untrusted('unknown_client', 'Missing required parameter: wtrealm', parameters, {
      reason: 'missing_client_id',
    })
  const settings = wsfedOf(client)
  if (!settings)
    throw unauthorizedClient('WS-Federation is not enabled for this client', {
      reason: 'wsfed_not_enabled',
      redirectable: false,
    })
  const reply = chooseReply(parameters, client, organization)
  return { client, settings, reply, context: parameters.wctx ?? null }
}

function chooseReply(parameters: Parameters, client: Client, organization: string | null): string {
  const { wreply } = parameters
  const reply = wreply ?? firstCallback(client)
  if (reply === undefined)
    throw untrusted('callback_mismatch', 'Missing required parameter: wreply', parameters, {
      reason: 'callback_missing',
    })
  if (wreply === undefined || matchRedirectUri(client, wreply, organization)) return reply
  const description = `Callback URL mismatch. ${wreply} is not in the list of allowed callback URLs`
  throw untrusted(
    'callback_mismatch',
    description,
    parameters,
    unregistered('callback_not_registered', wreply, client.settings.callbacks),
  )
}

const untrusted = (page: string, description: string, { wtrealm, wreply }: Parameters, why: Explained) =>
  untrustedRedirect(
    page,
    description,
    { ...(wtrealm === undefined ? {} : { wtrealm }), ...(wreply === undefined ? {} : { wreply }) },
    why,
  )
