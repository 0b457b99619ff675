/**
 * The message above a form, and the fields that it is about (WCAG 2.2 3.3.1: errors are identified in text).
 *
 * Invariant: a notice never distinguishes an unknown account from a wrong password (threat-model.md SE5). Both have the code
 * `wrong_credentials`, which marks both fields.
 */

import type { IdentifierKind, NoticeCode, UnreachedView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

export const NOTICE_ID = 'notice'

type FieldName = 'organization' | 'database' | 'username' | 'password' | 'email' | 'code' | 'captcha_code' | 'phone'
type NoticeKind = { tone: 'error' | 'info'; fields: readonly FieldName[] }

const BOTH = ['username', 'password'] as const

const NOTICE_KINDS: Readonly<Record<NoticeCode, NoticeKind>> = {
  wrong_credentials: { tone: 'error', fields: BOTH },
  too_many_attempts: { tone: 'error', fields: [] },
  missing_identifier: { tone: 'error', fields: ['username'] },
  missing_database: { tone: 'error', fields: ['database'] },
  missing_password: { tone: 'error', fields: ['password'] },
  missing_credentials: { tone: 'error', fields: BOTH },
  session_changed: { tone: 'info', fields: [] },
  reauthentication: { tone: 'info', fields: [] },
  session_old: { tone: 'info', fields: [] },
  session_ended: { tone: 'info', fields: [] },
  step_up: { tone: 'info', fields: [] },
  unblock_sent: { tone: 'info', fields: [] },
  wrong_operator_token: { tone: 'error', fields: [] },
  wrong_user_code: { tone: 'error', fields: [] },
  missing_fields: { tone: 'error', fields: [] },
  invalid_email: { tone: 'error', fields: ['email'] },
  invalid_username: { tone: 'error', fields: ['username'] },
  invalid_signup: { tone: 'error', fields: [] },
  weak_password: { tone: 'error', fields: ['password'] },
  username_taken: { tone: 'error', fields: ['username'] },
  user_exists: { tone: 'error', fields: ['email'] },
  verify_first: { tone: 'info', fields: [] },
  password_leaked: { tone: 'error', fields: ['password'] },
  captcha_missing: { tone: 'error', fields: [] },
  captcha_wrong: { tone: 'error', fields: [] },
  captcha_sent: { tone: 'info', fields: [] },
  captcha_code: { tone: 'error', fields: ['captcha_code'] },
  reset_sent: { tone: 'info', fields: [] },
  wait_for_code: { tone: 'info', fields: [] },
  code_exhausted: { tone: 'error', fields: [] },
  link_waiting: { tone: 'info', fields: [] },
  link_rejected: { tone: 'error', fields: [] },
  link_over: { tone: 'info', fields: [] },
  wrong_code: { tone: 'error', fields: ['code'] },
  code_sent: { tone: 'info', fields: [] },
  too_many_codes: { tone: 'error', fields: [] },
  too_many_messages: { tone: 'error', fields: [] },
  invalid_phone: { tone: 'error', fields: ['phone'] },
  unserved_phone: { tone: 'error', fields: [] },
  push_waiting: { tone: 'info', fields: [] },
  push_rejected: { tone: 'error', fields: [] },
  push_expired: { tone: 'info', fields: [] },
  key_failed: { tone: 'error', fields: [] },
  upstream_failed: { tone: 'error', fields: [] },
  upstream_denied: { tone: 'info', fields: [] },
  upstream_no_account: { tone: 'error', fields: [] },
  unknown_domain: { tone: 'error', fields: ['username'] },
  unknown_organization: { tone: 'error', fields: ['organization'] },
  no_organization_found: { tone: 'info', fields: [] },
  link_other_account: { tone: 'error', fields: [] },
  link_failed: { tone: 'error', fields: [] },
  link_last_owner: { tone: 'error', fields: [] },
  passkey_failed: { tone: 'error', fields: [] },
  passkey_unknown: { tone: 'error', fields: [] },
  passkey_not_added: { tone: 'error', fields: [] },
  passkey_name: { tone: 'error', fields: [] },
  passkey_model: { tone: 'error', fields: [] },
  portal_connected: { tone: 'info', fields: [] },
  connection_taken: { tone: 'error', fields: [] },
  connection_failed: { tone: 'error', fields: [] },
  portal_saved: { tone: 'info', fields: [] },
  portal_removed: { tone: 'info', fields: [] },
  portal_ended: { tone: 'info', fields: [] },
  portal_repeat: { tone: 'info', fields: [] },
  portal_unproven: { tone: 'error', fields: [] },
  picture_missing: { tone: 'error', fields: [] },
  picture_type: { tone: 'error', fields: [] },
  picture_size: { tone: 'error', fields: [] },
  portal_gone: { tone: 'error', fields: [] },
  portal_above: { tone: 'error', fields: [] },
  last_owner: { tone: 'error', fields: [] },
  portal_reset_sent: { tone: 'info', fields: [] },
  portal_invited: { tone: 'info', fields: [] },
  portal_provider_failed: { tone: 'error', fields: [] },
  invalid_name: { tone: 'error', fields: [] },
}

export const isErrorNotice = (notice: NoticeCode | undefined): boolean =>
  notice !== undefined && NOTICE_KINDS[notice].tone === 'error'

/** The id of the notice, for a field that the notice is about. */
export function errorIdOf(notice: NoticeCode | undefined, field: FieldName): string | undefined {
  return notice && NOTICE_KINDS[notice].fields.includes(field) ? NOTICE_ID : undefined
}

export type NoticeField = { name: string; label: string }

type Props = {
  notice: NoticeCode | undefined
  kind?: IdentifierKind
  /** Replaces the catalogue's text. */
  words?: string | undefined
  /** The fields that the notice is about, where the code does not determine them. */
  fields?: readonly NoticeField[]
  t: Translate
}

export function Notice({ notice, kind = 'either', words, fields, t }: Props) {
  if (!notice) return null
  const { tone, fields: usual } = NOTICE_KINDS[notice]
  const about = fields ?? usual.map((name) => ({ name, label: labelOf(name, kind, t) }))
  return (
    <div className={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      {tone === 'error' && <h2 className="notice-heading">{t('notice.heading')}</h2>}
      <p id={NOTICE_ID}>{words ?? wordsOf(notice, kind, t)}</p>
      {about.length > 0 && <FieldLinks fields={about} />}
    </div>
  )
}

/** The words of a provider that gave no answer. */
export const unreachedWords = ({ provider, why }: UnreachedView, t: Translate): string =>
  t(`notice.unreached.${why}`, { provider })

const wordsOf = (notice: NoticeCode, kind: IdentifierKind, t: Translate): string =>
  t(notice === 'missing_identifier' ? `notice.missing_identifier.${kind}` : `notice.${notice}`)

function labelOf(name: FieldName, kind: IdentifierKind, t: Translate): string {
  switch (name) {
    case 'password':
      return t('login.password')
    case 'organization':
      return t('organization.field')
    case 'database':
      return t('login.database')
    case 'captcha_code':
    case 'code':
      return t('code.label')
    case 'phone':
      return t('enroll.phone.label')
    default:
      return t(`login.identifier.${name === 'email' ? 'email' : kind}`)
  }
}

const FieldLinks = ({ fields }: { fields: readonly NoticeField[] }) => (
  <ul className="notice-fields">
    {fields.map(({ name, label }) => (
      <li key={name}>
        <a className="link" href={`#${name}`}>
          {label}
        </a>
      </li>
    ))}
  </ul>
)
