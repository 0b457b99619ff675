// The stores of one tenant, made once and kept with their caches. A new store is a line here; one that only the Management API needs is
// a line in its area (management/).
import type { NewTransactionCache } from '../../adapters/store/new-transaction-cache'
import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import { scriptBuilds } from '../../adapters/store/prisma/script-builds'
import { accountDeletionStore } from '../../adapters/store/sql/account-deletions'
import { accountJoinStore } from '../../adapters/store/sql/account-joins'
import { accountStore } from '../../adapters/store/sql/accounts'
import { actionStore } from '../../adapters/store/sql/actions'
import { attemptStore } from '../../adapters/store/sql/attempts'
import { clientGrantStore } from '../../adapters/store/sql/client-grants'
import { apiStore, clientStore, connectionStore } from '../../adapters/store/sql/configuration'
import { connectedAccountStore } from '../../adapters/store/sql/connected-accounts'
import { deviceCredentialStore } from '../../adapters/store/sql/device-credentials'
import { deviceStore } from '../../adapters/store/sql/devices'
import { factorKeyStore } from '../../adapters/store/sql/factor-keys'
import { linkedAccountStore } from '../../adapters/store/sql/linked-accounts'
import { consentStore, sessionStore, transactionStore } from '../../adapters/store/sql/login'
import { loginRecordStore } from '../../adapters/store/sql/login-records'
import { sharedLoginStore } from '../../adapters/store/sql/login-shares'
import { authenticatorStore } from '../../adapters/store/sql/mfa'
import { bucketStore, challengeStore, knownBrowserStore } from '../../adapters/store/sql/mfa-challenges'
import { oneTimeCodeStore } from '../../adapters/store/sql/one-time-codes'
import { organizationStore } from '../../adapters/store/sql/organizations'
import { outboxWriter } from '../../adapters/store/sql/outbox'
import { passkeyStore } from '../../adapters/store/sql/passkeys'
import { permissionStore } from '../../adapters/store/sql/permissions'
import { profileStore } from '../../adapters/store/sql/profiles'
import { registrationStore } from '../../adapters/store/sql/registrations'
import { eventSubjectStore, roleNameStore } from '../../adapters/store/sql/rule-users'
import { samlParticipantStore } from '../../adapters/store/sql/saml-participants'
import { scriptedAccountStore } from '../../adapters/store/sql/scripted-accounts'
import { ticketStore } from '../../adapters/store/sql/tickets'
import { tokenExchangeStore } from '../../adapters/store/sql/token-exchange'
import { familyStore } from '../../adapters/store/sql/tokens'
import { undoAddressStore } from '../../adapters/store/sql/undo-address'
import { upstreamAccountStore } from '../../adapters/store/sql/upstream-accounts'
import { userPictureStore } from '../../adapters/store/sql/user-pictures'
import { userStore } from '../../adapters/store/sql/users'
import { wordingStore } from '../../adapters/store/sql/wording'
import { createClientKeySets } from '../../data/clients/key-sets'
import type { UpstreamServers } from '../../data/connections/upstream/upstream'
import type { Shared } from './shared'

export type TenantStores = ReturnType<typeof createStores>

export const createStores = (
  { db, clock, announced, callOut, vault }: Shared,
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
    eventSubjects: eventSubjectStore(db, tenantId),
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
    sharedLogins: sharedLoginStore(db, tenantId, vault),
    loginRecords: loginRecordStore(db, tenantId, vault),
    tokenExchange: tokenExchangeStore(db, tenantId),
    codes: oneTimeCodeStore(db, tenantId),
    keys: signingKeyStore(db, tenantId),
    wording: wordingStore(db, tenantId),
    outboxWriter: outboxWriter(db.pool),
  }
}
