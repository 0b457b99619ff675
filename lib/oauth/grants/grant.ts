// The shape of a grant: one file each, the list in index.ts. A grant decides; lib/tokens/issue.ts mints.
import type { ApiPort } from '../../apis/api'
import type { Client } from '../../clients/client'
import type { Parameters } from '../../http/message'
import type { Clock } from '../../kernel/clock'
import type { Vault } from '../../kernel/secret'
import type { CodePort } from '../../tokens/authorization-code'
import type { FamilyPort } from '../../tokens/family'
import type { Authorization } from '../../tokens/issue'

export type GrantDeps = { apis: ApiPort; codes: CodePort; families: FamilyPort; clock: Clock; vault: Vault }

export type Grant = {
  /** The `grant_type` value. */
  type: string
  /** Throws a DomainError, or says what is to be issued. `client` is authenticated and may use this grant. */
  authorize(parameters: Parameters, client: Client, deps: GrantDeps): Promise<Authorization>
}
