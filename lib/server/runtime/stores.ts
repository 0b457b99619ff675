// The stores of one tenant, made once and kept with their caches. A new store is a line here; one that only the Management API needs is
// a line in its area (management/).
import type { NewTransactionCache } from '../../adapters/store/new-transaction-cache'
import { accountDeletionStore } from '../../adapters/store/prisma/account-deletions'
import { accountJoinStore } from '../../adapters/store/prisma/account-joins'
import { accountStore } from '../../adapters/store/prisma/accounts'
import { actionStore } from '../../adapters/store/prisma/actions'
import { attemptStore } from '../../adapters/store/prisma/attempts'
import { clientGrantStore } from '../../adapters/store/prisma/client-grants'
import { apiStore, clientStore, connectionStore } from '../../adapters/store/prisma/configuration'
import { connectedAccountStore } from '../../adapters/store/prisma/connected-accounts'
import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { deviceCredentialStore } from '../../adapters/store/prisma/device-credentials'
import { deviceStore } from '../../adapters/store/prisma/devices'
import { factorKeyStore } from '../../adapters/store/prisma/factor-keys'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import { linkedAccountStore } from '../../adapters/store/prisma/linked-accounts'
import { consentStore, sessionStore, transactionStore } from '../../adapters/store/prisma/login'
import { authenticatorStore } from '../../adapters/store/prisma/mfa'
import { bucketStore, challengeStore, knownBrowserStore } from '../../adapters/store/prisma/mfa-challenges'
import { oneTimeCodeStore } from '../../adapters/store/prisma/one-time-codes'
import { organizationStore } from '../../adapters/store/prisma/organizations'
import { outboxWriter } from '../../adapters/store/prisma/outbox'
import { passkeyStore } from '../../adapters/store/prisma/passkeys'
import { permissionStore } from '../../adapters/store/prisma/permissions'
import { profileStore } from '../../adapters/store/prisma/profiles'
import { registrationStore } from '../../adapters/store/prisma/registrations'
import { roleNameStore, ruleSubjectStore } from '../../adapters/store/prisma/rule-users'
import { samlParticipantStore } from '../../adapters/store/prisma/saml-participants'
import { scriptBuilds } from '../../adapters/store/prisma/script-builds'
import { scriptedAccountStore } from '../../adapters/store/prisma/scripted-accounts'
import { ticketStore } from '../../adapters/store/prisma/tickets'
import { tokenExchangeStore } from '../../adapters/store/prisma/token-exchange'
import { familyStore } from '../../adapters/store/prisma/tokens'
import { undoAddressStore } from '../../adapters/store/prisma/undo-address'
import { upstreamAccountStore } from '../../adapters/store/prisma/upstream-accounts'
import { userPictureStore } from '../../adapters/store/prisma/user-pictures'
import { userStore } from '../../adapters/store/prisma/users'
import { wordingStore } from '../../adapters/store/prisma/wording'
import { createClientKeySets } from '../../data/clients/key-sets'
import type { UpstreamServers } from '../../data/connections/upstream/upstream'
import type { Shared } from './shared'

export type TenantStores = ReturnType<typeof createStores>

export const createStores = (
  { db, clock, announced, callOut }: Shared,
  tenantId: string,
  newTransactions: NewTransactionCache,
) => {
  const clients = clientStore(db, tenantId, clock, announced)
  return {
    clients,
    keySets: createClientKeySets({ callOut, clock }),
    registrations: registrationStore(db, tenantId, clients.forget),
    apis: apiStore(db, tenantId, clock, announced),
    clientGrants: clientGrantStore(db, tenantId, clock, announced),
    actions: actionStore(db, tenantId, clock, announced),
    permissions: permissionStore(db, tenantId),
    roleNames: roleNameStore(db, tenantId),
    ruleSubjects: ruleSubjectStore(db, tenantId),
    connections: connectionStore(db, tenantId, clock, announced),
    organizations: organizationStore(db, tenantId, clock, announced),
    users: userStore(db, tenantId),
    scriptedAccounts: scriptedAccountStore(db, tenantId),
    scriptBuilds: scriptBuilds(db, tenantId),
    accounts: accountStore(db, tenantId),
    accountDeletions: accountDeletionStore(db, tenantId),
    undoAddress: undoAddressStore(db, tenantId),
    userPictures: userPictureStore(db, tenantId),
    administrators: administratorStore(db, tenantId),
    profiles: profileStore(db, tenantId),
    deviceCredentials: deviceCredentialStore(db, tenantId),
    linkedAccounts: linkedAccountStore(db, tenantId),
    accountJoins: accountJoinStore(db, tenantId),
    upstreamAccounts: upstreamAccountStore(db, tenantId),
    connectedAccounts: connectedAccountStore(db, tenantId),
    upstreamServers: new Map() as UpstreamServers,
    sessions: sessionStore(db, tenantId),
    samlParticipants: samlParticipantStore(db, tenantId),
    transactions: transactionStore(db, tenantId, newTransactions),
    consents: consentStore(db, tenantId),
    attemptCounters: attemptStore(db, tenantId),
    authenticators: authenticatorStore(db, tenantId),
    factorKeys: factorKeyStore(db, tenantId),
    challenges: challengeStore(db, tenantId),
    knownBrowsers: knownBrowserStore(db, tenantId),
    passkeys: passkeyStore(db, tenantId),
    buckets: bucketStore(db, tenantId),
    families: familyStore(db, tenantId),
    devices: deviceStore(db, tenantId),
    tickets: ticketStore(db, tenantId),
    tokenExchange: tokenExchangeStore(db, tenantId),
    codes: oneTimeCodeStore(db, tenantId),
    keys: signingKeyStore(db, tenantId),
    wording: wordingStore(db, tenantId),
    outboxWriter: outboxWriter(db.pool),
  }
}
