// The accounts that signed in with this browser, for the picker and the mark of the way that was used last (docs/adr/0039).
// - They are in a sealed cookie, as they were at their login: nothing is looked up, and the browser learns nothing new about an
//   account. The cookie of another tenant opens to nothing.
// - An entry proves nothing: choosing it fills in a name. Only a session goes on without a proof (threat-model.md RA1).
import { sessionPolicy, type TenantSettings } from '../../data/tenants/settings'
import { displayNameOf, type User } from '../../data/users/user'
import type { LoginDeps } from '../deps'
import type { Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'

/** `name`, `email` and `picture` are of the last login; `connection` is the name of the one that was used. */
export type RememberedAccount = { id: string; name: string; email?: string; picture?: string; connection: string }

/** The newest first. */
export const MAX_ACCOUNTS = 4
const KEPT_SECONDS = 180 * 86400
/** Longer ones are left out, so that the cookie stays within its limit (lib/http/cookies.ts). */
const MAX_TEXT = 64
const MAX_PICTURE = 120
const MAX_BYTES = 1100
const PURPOSE = 'remembered-accounts'

type Deps = Pick<LoginDeps, 'vault' | 'random' | 'tenantId' | 'settings' | 'secure'>
type Sealed = { tenantId: string; accounts: RememberedAccount[] }

/** Tenants of shared computers turn it off; a cookie that ends with the browser says the same. */
const isOn = ({ settings }: { settings: TenantSettings }): boolean =>
  settings.tenant.remember_accounts && sessionPolicy(settings).persistent

export function rememberedIn({ cookies: { accounts } }: Visitor, deps: Deps): readonly RememberedAccount[] {
  if (accounts === undefined || !isOn(deps)) return []
  const plain = deps.vault.openText(PURPOSE, accounts)
  if (!plain) return []
  const sealed = JSON.parse(plain) as Sealed
  return sealed.tenantId === deps.tenantId ? sealed.accounts : []
}

/** After a login. No cookie if the browser remembers this account, as it is, as the newest. */
export function rememberAccount(user: User, connection: string, visitor: Visitor, deps: Deps): Cookie[] {
  if (!isOn(deps)) return []
  const account = entryOf(user, connection)
  const before = rememberedIn(visitor, deps)
  if (JSON.stringify(before[0]) === JSON.stringify(account)) return []
  return write([account, ...before.filter(({ id }) => id !== account.id)], deps)
}

export const forgetAccount = (id: string, visitor: Visitor, deps: Deps): Cookie[] =>
  write(
    rememberedIn(visitor, deps).filter((account) => account.id !== id),
    deps,
  )

function entryOf(user: User, connection: string): RememberedAccount {
  const { id, email, picture } = user
  return {
    id,
    name: displayNameOf(user).slice(0, MAX_TEXT).toWellFormed(),
    ...(email !== null && email.length <= MAX_TEXT ? { email } : {}),
    ...(picture !== null && picture.length <= MAX_PICTURE ? { picture } : {}),
    connection,
  }
}

/** As many of the newest as fit. */
function write(accounts: readonly RememberedAccount[], deps: Deps): Cookie[] {
  const kept = accounts.slice(0, MAX_ACCOUNTS)
  if (kept.length === 0) return [{ name: 'accounts', value: '', maxAge: 0 }]
  const plain = JSON.stringify({ tenantId: deps.tenantId, accounts: kept } satisfies Sealed)
  if (Buffer.byteLength(plain) > MAX_BYTES) return kept.length === 1 ? [] : write(kept.slice(0, -1), deps)
  const value = deps.vault.sealText(PURPOSE, plain, deps.random)
  return [{ name: 'accounts', value, maxAge: KEPT_SECONDS }]
}
