// Login at a WS-Federation provider (1.2, 13; threat-model.md SP7): `wctx` is the state of this browser's login, and
// lib/crypto/saml/response-checks.ts verifies the returned token, which counts once.
// - A token does not name its request, so only the state binds it to a browser.
// - A user is identified by the connection and the token's id, never by an address.

import type { VerifiedAssertion } from '../../crypto/saml/response-checks'
import { ACTION } from '../../crypto/saml/ws-federation'
import type { WsFedConnection } from '../../data/connections/connection'
import { audienceOf } from '../../data/connections/upstream/saml-provider'
import {
  callbackUrl,
  type RedirectStrategy,
  type SamlUpstreamDeps,
  type UpstreamAsk,
} from '../../data/connections/upstream/upstream'
import { metadataUrlOf, wsfedProviderOf } from '../../data/connections/upstream/wsfed-provider'
import { admitted, byNewestKeys, expectedOf, explained } from './assertion'
import { configured } from './upstream-parameters'

export const wsfed = (connection: WsFedConnection) =>
  ({
    start: (ask, deps) => start(connection, ask, deps),
    complete: async (reply, deps) => admitted(await verdictOn(connection, reply, deps), connection, deps),
    async preverify(reply, deps) {
      await verdictOn(connection, reply, deps)
    },
    async logoutUrl({ returnTo, state }, deps) {
      const { signOut } = await wsfedProviderOf(connection, deps)
      const wreply = `${returnTo}?${new URLSearchParams({ state })}`
      return withQuery(signOut, { wa: ACTION.signOut, wtrealm: audienceOf(connection, deps), wreply })
    },
  }) satisfies RedirectStrategy

async function start(connection: WsFedConnection, ask: UpstreamAsk, deps: SamlUpstreamDeps): Promise<string> {
  const { signIn } = await wsfedProviderOf(connection, deps)
  return withQuery(signIn, {
    ...configured(connection.settings.options, ask),
    wa: ACTION.signIn,
    wtrealm: audienceOf(connection, deps),
    wreply: callbackUrl(deps),
    wctx: ask.state,
    wct: deps.clock.now().toISOString(),
    ...(ask.anew ? { wfresh: '0' } : {}),
  })
}

function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

async function verdictOn(
  connection: WsFedConnection,
  { wresult = '' }: Readonly<Record<string, string>>,
  deps: SamlUpstreamDeps,
): Promise<VerifiedAssertion> {
  const judge = async (): Promise<VerifiedAssertion> => {
    const provider = await wsfedProviderOf(connection, deps)
    return explained(deps.readXml('token', { source: wresult, expected: expectedOf(provider, connection, deps) }))
  }
  return byNewestKeys(connection, metadataUrlOf(connection), judge, deps)
}
