// What the pages of links to logins read. Loaded with the first of them.
import { loginRecordStore } from '../../adapters/store/sql/login-records'
import { sharedLoginStore } from '../../adapters/store/sql/login-shares'
import type { SharedLoginPort } from '../../data/login-tests/login-share'
import type { LoginRecordStore } from '../../management/resources/logins'
import type { Shared } from './shared'

export type SharedLogins = { sharedLogins: SharedLoginPort; loginRecords: Pick<LoginRecordStore, 'find'> }

export const openSharedLogins = (tenantId: string, { db, vault }: Pick<Shared, 'db' | 'vault'>): SharedLogins => ({
  sharedLogins: sharedLoginStore(db, tenantId, vault),
  loginRecords: loginRecordStore(db, tenantId, vault),
})
