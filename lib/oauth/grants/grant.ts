// The shape of a grant: one file each, the list in index.ts. A grant decides; lib/tokens/issue.ts mints.
import type { ClientGrantPort } from '../../apis/api'
import type { Client } from '../../clients/client'
import type { Parameters } from '../../http/message'
import type { Vault } from '../../kernel/secret'
import type { BrowserlessDeps, From } from '../../login/browserless/browserless'
import type { DevicePort } from '../../tokens/device-authorization'
import type { Authorization } from '../../tokens/issue'

export type GrantDeps = BrowserlessDeps & {
  devices: DevicePort
  clientGrants: ClientGrantPort
  vault: Vault
  issuer: string
  vendorHost: string
}

export type Grant = {
  /** The `grant_type` value; of a vendor's own grant what stands behind its host and path. */
  type: string
  /** Its `grant_type` begins with the vendor's host. */
  vendor?: true
  /** What a client must be to use it, whatever its record lists. */
  only?: 'first-party' | 'confidential'
  /**
   * Throws a DomainError, or says what is to be issued. `client` is authenticated and may use this grant; `ip` is
   * whose request it is.
   */
  authorize(parameters: Parameters, client: Client, deps: GrantDeps, from: From): Promise<Authorization>
}
