// A tenant's own texts of pages, templates of messages, rules and hooks, read once for each version of them. Nothing is read or loaded where a
// tenant has none.

import type { Wording } from '../../adapters/store/sql/wording'
import type { Tenant } from '../../data/tenants/settings'
import { hookActions, readHook } from '../../identity/tenant-code/scripts/hooks'
import type { LegacyActions } from '../../identity/tenant-code/scripts/legacy-action'
import { readRule, rulesAction } from '../../identity/tenant-code/scripts/legacy-rules'
import type { MailTemplates } from '../../pages/messages/mail-templates'
import type { PhoneTemplates } from '../../pages/messages/phone-templates'
import type { CustomTexts } from '../../text/catalogue'
import type { Logger } from '../maintenance/log'

export type OpenedWording = {
  customTexts: CustomTexts | undefined
  mailTemplates: MailTemplates | undefined
  /** Whether the mail that verifies the address of a sign-up is switched off. */
  verificationOff: boolean
  phoneTemplates: PhoneTemplates | undefined
  /** The vendor's rules and hooks. */
  legacy: LegacyActions
}

export async function openWording(
  { id: tenant, wording, settings }: Tenant,
  store: { list(): Promise<Wording[]> },
  log: Logger,
): Promise<OpenedWording> {
  const documents = wording === null ? [] : await store.list()
  const texts = documents.filter(({ kind }) => kind === 'custom-text')
  const templates = documents.filter(({ kind, body }) => kind === 'email-template' && body.enabled === true)
  const verificationOff = documents.some(
    ({ kind, id, body }) => kind === 'email-template' && id === 'verify_email' && body.enabled === false,
  )
  const phone = documents.filter(({ kind }) => kind === 'phone-template')
  const rules = documents.flatMap(({ kind, id, body }) => {
    const read = kind === 'rule' ? readRule(body) : null
    return read ? [{ id, ...read }] : []
  })
  const configs = documents.flatMap(({ kind, id, body }) =>
    kind === 'rules-config' ? [[id, String(body.sealed)] as const] : [],
  )
  const hooks = documents.flatMap(({ kind, body }) => (kind === 'hook' ? (readHook(body) ?? []) : []))
  const login = rulesAction(rules, Object.fromEntries(configs))
  return {
    legacy: { ...hookActions(hooks), ...(login ? { 'post-login': login } : {}) },
    customTexts:
      texts.length === 0
        ? undefined
        : (await import('../../text/custom')).readCustomTexts(texts, settings.tenant.enabled_locales),
    mailTemplates:
      templates.length === 0
        ? undefined
        : (await import('../../pages/messages/mail-templates')).readMailTemplates(templates, (template) =>
            log.warn({ tenant, template }, 'A mail template could not be read.'),
          ),
    verificationOff,
    phoneTemplates:
      phone.length === 0
        ? undefined
        : (await import('../../pages/messages/phone-templates')).readPhoneTemplates(phone, (template) =>
            log.warn({ tenant, template }, 'A phone template could not be read.'),
          ),
  }
}
