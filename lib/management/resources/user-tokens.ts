// The tokens of identity providers in a user object, for readers with `read:user_idp_tokens`.

import type { UpstreamTokens } from '../../data/connections/upstream/upstream'
import { UPSTREAM_TOKENS } from '../../data/connections/upstream/upstream-account'
import type { ManagedUser } from '../../data/users/managed-user'
import { type JsonObject, objectsIn } from '../../kernel/json'
import type { Vault } from '../../kernel/secret'
import { maySee } from '../operations/member-access'
import type { Call, Secret } from '../operations/operation'
import type { ManagedUserStore } from './user-list'

const TOKEN: Secret = { scopes: ['read:user_idp_tokens'], otherwise: 'absent' }

export const TOKENS = { 'identities.access_token': TOKEN, 'identities.refresh_token': TOKEN }

export type UserTokenDeps = { vault: Vault; managedUsers: ManagedUserStore }

export async function presentTokens(
  { user }: ManagedUser,
  shown: JsonObject,
  { actor, deps }: Pick<Call<UserTokenDeps>, 'actor' | 'deps'>,
): Promise<JsonObject> {
  if (!maySee(TOKEN, actor) || objectsIn(shown.identities).every(isOfOurs)) return shown
  const sealed = (await deps.managedUsers.accounts(user.id)).filter(({ sealedTokens }) => sealedTokens !== null)
  if (sealed.length === 0) return shown
  const identities = objectsIn(shown.identities).map((identity) => {
    const account = sealed.find(
      ({ provider, providerUserId }) => identity.provider === provider && identity.user_id === providerUserId,
    )
    return account?.sealedTokens ? { ...identity, ...tokensIn(account.sealedTokens, deps) } : identity
  })
  return { ...shown, identities }
}

/** Databases and codes issue no tokens, so a list of their users asks for none. */
const isOfOurs = ({ provider }: JsonObject): boolean => ['auth0', 'email', 'sms'].includes(String(provider))

function tokensIn(sealed: Uint8Array, { vault }: UserTokenDeps): JsonObject {
  const plain = vault.open(UPSTREAM_TOKENS, sealed)
  if (!plain) return {}
  const { accessToken, refreshToken } = JSON.parse(plain.toString()) as UpstreamTokens
  return {
    access_token: accessToken,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
  }
}
