import Link from 'next/link'
import type { ReactNode } from 'react'
import type { RankedKind } from '../../../lib/management/operations/rank'
import { say } from '../../../lib/text/console'

type Props = { title: string; children?: ReactNode }

/** A page or a part of one that has nothing to show, and what to do about it. */
export function Plain({ title, children }: Props) {
  return (
    <div className="co-plain">
      <h1 className="co-title">{title}</h1>
      {children}
    </div>
  )
}

/** A list or a part of a page without content. */
export function Empty({ title, children }: Props) {
  return (
    <div className="co-empty">
      <p className="co-empty-title">{title}</p>
      {children}
    </div>
  )
}

export function Notice({ kind = 'note', children }: { kind?: 'note' | 'error'; children: ReactNode }) {
  return (
    <div className={kind === 'error' ? 'notice notice-error' : 'notice'} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** What the page shows is above the signed-in person. */
export const Above = ({ kind }: { kind: RankedKind }) => <Notice>{say(`state.above.${kind}`)}</Notice>

const HomeLink = () => (
  <p>
    <Link className="link" href="/console" prefetch={false}>
      {say('state.home')}
    </Link>
  </p>
)

export const Forbidden = ({ role }: { role: string }) => (
  <Plain title={say('state.forbidden.title')}>
    <p className="co-lead">{say('state.forbidden.text', { role })}</p>
    <HomeLink />
  </Plain>
)

export const Missing = () => (
  <Plain title={say('state.missing.title')}>
    <p className="co-lead">{say('state.missing.text')}</p>
    <HomeLink />
  </Plain>
)

export const Invalid = ({ message }: { message: string }) => (
  <Plain title={say('state.invalid.title')}>
    <p className="co-lead">{message}</p>
    <HomeLink />
  </Plain>
)

export const Busy = () => (
  <Plain title={say('state.busy.title')}>
    <p className="co-lead">{say('state.busy.text')}</p>
  </Plain>
)

/** The form asks for the same page again, without scripts too. */
export const Failed = () => (
  <Plain title={say('state.failed.title')}>
    <p className="co-lead">{say('state.failed.text')}</p>
    <form>
      <button type="submit" className="co-button">
        {say('state.retry')}
      </button>
    </form>
  </Plain>
)
