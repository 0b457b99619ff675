// People: their accounts, factors, sessions and rights, and the administrators.

import type { ManagementDeps } from '../../../management/deps'
import type { ManagementOpening } from './opening'
import { signInPreview } from './sign-in-preview'

export const people = ({ runtime, stores }: ManagementOpening) =>
  ({
    administrators: stores.administrators,
    accounts: stores.accounts,
    users: stores.users,
    accountDeletions: stores.accountDeletions,
    undoAddress: stores.undoAddress,
    eventSubjects: runtime.eventSubjects,
    tickets: stores.tickets,
    passwords: runtime.passwords,
    breached: runtime.breached,
    attempts: runtime.attempts,
    authenticators: stores.authenticators,
    passkeys: stores.passkeys,
    isAdministrator: runtime.isAdministrator,
    knownBrowsers: stores.knownBrowsers,
    portray: runtime.portray,
    previewSignIn: signInPreview(runtime),
  }) satisfies Partial<ManagementDeps>
