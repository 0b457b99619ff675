// The question what would happen in a login, and its answer in the steps of the inspector (docs/adr/0073).
import type { Reason } from '../../kernel/reasons'
import type { User } from '../users/user'
import type { InspectedStep } from './step'

/** How the browser would be known for the person. */
export const PREVIEW_BROWSERS = ['unknown', 'known', 'remembered'] as const

/** By which protocol the application asks. */
export const PREVIEW_PROTOCOLS = ['oidc', 'samlp', 'wsfed'] as const

export type PreviewQuestion = {
  user: User
  /** The names of the connections in which the person has an account. */
  connections: readonly string[]
  /** Those accounts at databases: `name` is what is typed, `identifier` what guesses are counted on. */
  accounts: readonly { connectionId: string; connection: string; name: string; identifier: string }[]
  clientId: string
  connection: string | null
  organization: string | null
  audience: string | null
  scope: string
  ip: string
  browser: (typeof PREVIEW_BROWSERS)[number]
  /** Null: that of the add-on which the application has, or OpenID Connect. */
  protocol: (typeof PREVIEW_PROTOCOLS)[number] | null
}

export type PreviewedLogin = {
  /** Why the login would be refused; null if it would succeed. */
  reason: Reason | null
  /** The connection that the person would sign in by, where that is known. */
  connection: string | null
  steps: readonly InspectedStep[]
  /** The tenant's code that a login would run and the preview does not, in order. */
  code: readonly { at: string; name: string }[]
}

export type PreviewPort = (question: PreviewQuestion) => Promise<PreviewedLogin>
