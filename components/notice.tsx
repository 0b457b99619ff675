/**
 * What has to be said above a form, and which fields it is about (WCAG 2.2 3.3.1: errors are identified in text).
 *
 * Must hold: a notice never tells an unknown account from a wrong password (threat-model.md SE5): both are the one code
 * `wrong_credentials`, which marks both fields.
 */
import type { Translate } from '../lib/pages/texts/messages'
import type { IdentifierKind, NoticeCode } from '../lib/pages/view'

export const NOTICE_ID = 'notice'

type FieldName = 'username' | 'password'
type NoticeKind = { tone: 'error' | 'info'; fields: readonly FieldName[] }

const BOTH = ['username', 'password'] as const

const NOTICE_KINDS: Readonly<Record<NoticeCode, NoticeKind>> = {
  wrong_credentials: { tone: 'error', fields: BOTH },
  too_many_attempts: { tone: 'error', fields: [] },
  missing_identifier: { tone: 'error', fields: ['username'] },
  missing_password: { tone: 'error', fields: ['password'] },
  missing_credentials: { tone: 'error', fields: BOTH },
  session_changed: { tone: 'info', fields: [] },
  reauthentication: { tone: 'info', fields: [] },
}

export const isErrorNotice = (notice: NoticeCode | undefined): boolean =>
  notice !== undefined && NOTICE_KINDS[notice].tone === 'error'

/** The id that describes a field which the notice is about. */
export function errorIdOf(notice: NoticeCode | undefined, field: FieldName): string | undefined {
  return notice && NOTICE_KINDS[notice].fields.includes(field) ? NOTICE_ID : undefined
}

type Props = { notice: NoticeCode | undefined; kind?: IdentifierKind; t: Translate }

export function Notice({ notice, kind = 'either', t }: Props) {
  if (!notice) return null
  const { tone, fields } = NOTICE_KINDS[notice]
  const text = t(`notice.${notice}`, { kind })
  return (
    <div className={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      {tone === 'error' && <h2 className="notice-heading">{t('notice.heading')}</h2>}
      <p id={NOTICE_ID}>{text}</p>
      {fields.length > 0 && <FieldLinks fields={fields} kind={kind} t={t} />}
    </div>
  )
}

function FieldLinks({ fields, kind, t }: { fields: readonly FieldName[]; kind: IdentifierKind; t: Translate }) {
  return (
    <ul className="notice-fields">
      {fields.map((field) => (
        <li key={field}>
          <a className="link" href={`#${field}`}>
            {field === 'username' ? t('login.identifier', { kind }) : t('login.password')}
          </a>
        </li>
      ))}
    </ul>
  )
}
