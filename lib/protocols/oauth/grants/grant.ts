// The type of a grant. Each grant is one file, listed in index.ts. A grant decides; lib/tokens/issue.ts mints.
import type * as z from 'zod'
import type { ClientGrantPort } from '../../../data/apis/api'
import type { EventName } from '../../../data/audit/events'
import type { Client } from '../../../data/clients/client'
import type { Parameters } from '../../../kernel/parameters'
import type { Vault } from '../../../kernel/secret'
import type { BrowserlessDeps, From } from '../../../login/browserless/browserless'
import type { ExchangedUserPort, TokenExchangePort } from '../../../login/exchanged-user'
import type { DevicePort } from '../../../tokens/device-authorization'
import type { Authorization } from '../../../tokens/issue'

export type GrantDeps = BrowserlessDeps & {
  tokenExchange: TokenExchangePort
  /** Loaded with the first exchange. */
  exchangedUsers(): Promise<ExchangedUserPort>
  devices: DevicePort
  clientGrants: ClientGrantPort
  vault: Vault
  issuer: string
  vendorHost: string
}

/** The audit events of an issued and of a refused token. */
export type GrantEvents = { done: EventName; refused: EventName }

export type Grant = {
  /** The `grant_type` value; for a vendor grant the part after the vendor's host and path. */
  type: string
  /** Whether its `grant_type` starts with the vendor's host. */
  vendor?: true
  events: GrantEvents
  /** The parameters that it reads and an example of them, for the API reference. */
  describe(): { parameters: z.ZodRawShape; example: Readonly<Record<string, string>> }
  /** The kind of client it is limited to, in addition to the client's `grant_types`. */
  only?: 'first-party' | 'confidential'
  /**
   * Returns what is to be issued, or throws a DomainError. `client` is authenticated and may use this grant; `from.ip` is the
   * address of the request.
   */
  authorize(parameters: Parameters, client: Client, deps: GrantDeps, from: From): Promise<Authorization>
}
