import type { ReactNode } from 'react'
import type { PortalPageName, PortalView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { AccountFace } from './account-list'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'
import { TransactionForm } from './transaction-form'
import { Unbroken } from './unbroken'

type Props = {
  page: PortalPageName
  view: PortalView
  lead?: string
  /** Replaces the text of the notice. */
  words?: string | undefined
  t: Translate
  children: ReactNode
}

export const portalPath = (page: PortalPageName): string => `/account/${page}`

/** The layout of the account portal: whose account it is, the way to the other pages, and one page. */
export function PortalPage({ page, view, lead, words, t, children }: Props) {
  return (
    <div className="portal">
      <header className="portal-head">
        <div className="account">
          <AccountFace account={view.account} />
        </div>
        <nav className="portal-nav" aria-label={t('portal.nav')}>
          <details>
            <summary className="portal-menu">{t('portal.menu')}</summary>
            <ul className="portal-pages">
              {view.pages.map((each) => (
                <li key={each}>
                  <a className="portal-link" href={portalPath(each)} aria-current={each === page ? 'page' : undefined}>
                    {t(`portal.${each}.title`)}
                  </a>
                </li>
              ))}
              <li className="portal-leave">
                <a className="portal-link" href="/oidc/logout">
                  {t('portal.sign_out')}
                </a>
              </li>
            </ul>
          </details>
        </nav>
      </header>
      <section className="portal-page">
        <h1 className="card-title">
          <Unbroken text={t(`portal.${page}.title`)} />
        </h1>
        {lead && <p className="card-lead">{lead}</p>}
        <Notice notice={view.notice} words={words} fields={[]} t={t} />
        {children}
      </section>
    </div>
  )
}

type FormProps = {
  page: PortalPageName
  view: PortalView
  fields?: Readonly<Record<string, string>>
  /** The form has a field for a file. */
  sendsFile?: boolean
  children: ReactNode
}

export const PortalForm = ({ page, view, fields = {}, sendsFile = false, children }: FormProps) => (
  <TransactionForm
    action={portalPath(page)}
    sendsFile={sendsFile}
    fields={{ confirmation: view.confirmation, ...fields }}
  >
    {children}
  </TransactionForm>
)

type ItemProps = {
  title: string
  details: readonly (ReactNode | false | undefined)[]
  children?: ReactNode
}

/** One thing of a list, with what can be done with it. */
export const Item = ({ title, details, children }: ItemProps) => (
  <li className="portal-item">
    <div className="portal-facts">
      <h2 className="portal-name">
        <bdi>{title}</bdi>
      </h2>
      {details.map((detail, index) =>
        detail ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of one item never changes its order.
          <p key={index} className="portal-detail">
            {detail}
          </p>
        ) : null,
      )}
    </div>
    {children}
  </li>
)

type ActionProps = Omit<FormProps, 'children'> & { action: string; label: string; about: string }

/** A button beside an item; its name for screen readers says which item. */
export const ItemAction = ({ action, label, about, ...form }: ActionProps) => (
  <PortalForm {...form}>
    <SubmitButton value={action} look="secondary">
      {label}
      <span className="sr-only">: {about}</span>
    </SubmitButton>
  </PortalForm>
)
