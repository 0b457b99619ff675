// The tenant itself: its settings, domains, keys and documents, and what decides for all operations.

import { rankStore } from '../../../adapters/store/prisma/management/rank'
import { tenantStore } from '../../../adapters/store/sql/configuration'
import { loginShareStore } from '../../../adapters/store/sql/login-shares'
import { managementAudience } from '../../../data/apis/built-in'
import { proofMissing } from '../../../data/tenants/domain-proof'
import type { ManagementDeps } from '../../../management/deps'
import { unusedTexts } from '../../../text/custom'
import { LOCALES } from '../../../text/locale'
import { describeCertificate } from './certificate'
import type { ManagementOpening } from './opening'

export const tenant = ({ db, tenantId, runtime, stores, shared }: ManagementOpening) =>
  ({
    tenantId,
    baseUrl: runtime.baseUrl,
    canonicalUrl: runtime.canonicalUrl,
    entityId: runtime.entityId,
    clock: runtime.clock,
    random: runtime.random,
    vault: runtime.vault,
    settings: runtime.settings,
    securityProfile: runtime.settings.tenant.security_profile,
    defaultRedirectionUri: runtime.settings.tenant.default_redirection_uri,
    languages: LOCALES,
    async isOwnHost(host) {
      const tenants = await tenantStore(db).list()
      return [shared.baseUrl, ...tenants.flatMap(({ baseUrl }) => baseUrl ?? [])].some(
        (each) => new URL(each).hostname === host,
      )
    },
    proofMissing: (domain, challenge) => proofMissing(domain, challenge, shared),
    findTexts: shared.findTexts,
    certificate() {
      const { cert, pkcs7, subject } = describeCertificate(runtime.keyring.current.certificate)
      return { cert, pkcs7, subject }
    },
    loginRecords: stores.loginRecords,
    loginShares: loginShareStore(db, tenantId, runtime),
    signingKeys: stores.keys,
    prepareKeys: runtime.keyring.prepare,
    describeCertificate,
    unusedTexts,
    rank: rankStore(db, tenantId, managementAudience(runtime.canonicalUrl)),
    afterwards: runtime.afterwards,
  }) satisfies Partial<ManagementDeps>
