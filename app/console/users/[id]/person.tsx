import Link from 'next/link'
import type { ReactNode } from 'react'
import type { AnswerOf, Reference } from '../../../../lib/management/console-call'
import { userAccess } from '../../../../lib/management/resources/user-access'
import { userFactors } from '../../../../lib/management/resources/user-factors'
import { userLogs } from '../../../../lib/management/resources/user-logs'
import { userSignInPreview } from '../../../../lib/management/resources/user-sign-in-preview'
import { users } from '../../../../lib/management/resources/users'
import type { Console } from '../../../../lib/server/next/console/page'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { Head } from '../../_parts/head'
import { PlainLink, userPath } from '../../_parts/links'
import { consolePage, type PageInput } from '../../_parts/page'
import { Above } from '../../_parts/states'

export type Person = {
  console: Console & { isAbove: boolean }
  id: string
  user: AnswerOf<typeof users.read>
  tag: string
  name: string
  query: PageInput['query']
}

const TABS = [
  ['', 'users.tab.profile', users.read],
  ['/sign-in', 'users.tab.sign_in', userFactors.authenticationMethodsList],
  ['/preview', 'users.tab.preview', userSignInPreview.preview],
  ['/rights', 'users.tab.rights', userAccess.rolesList],
  ['/history', 'users.tab.history', userLogs.logsList],
] as const satisfies readonly (readonly [string, string, Reference])[]

type Tab = (typeof TABS)[number][0] | '/link'

/** A page of one person: the name, the pages beside it, and what stands on this one. */
export const personPage = (tab: Tab, render: (person: Person) => Promise<ReactNode>) =>
  consolePage(async ({ console: whole, params: { id = '' }, query }) => {
    const [{ value: user, tag }, console] = await Promise.all([
      whole.readTagged(users.read, { params: { id } }),
      whole.facing('users', id),
    ])
    const name = user.name ?? user.email ?? user.username ?? id
    const content = await render({ console, id, user, tag, name, query })
    return (
      <>
        <Head
          title={name}
          lead={
            <>
              {user.email !== name && user.email} {user.blocked && <Badge danger>{say('users.blocked')}</Badge>}
            </>
          }
          action={
            tab === '' &&
            console.may(userFactors.authenticationMethodsList) && (
              <PlainLink href={`${userPath(id)}/sign-in#check`} title={say('users.check')} />
            )
          }
          back={{ href: '/console/users', title: say('users.title') }}
          viewed={{ kind: 'users', id }}
        />
        {console.isAbove && <Above kind="users" />}
        <nav className="co-tabs" aria-label={name}>
          <ul className="co-tabs-row">
            {TABS.filter(([, , operation]) => console.may(operation)).map(([path, title]) => (
              <li key={path}>
                <Link
                  className="co-tab"
                  href={userPath(id) + path}
                  prefetch={false}
                  aria-current={path === tab ? 'page' : undefined}
                >
                  {say(title)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {content}
      </>
    )
  })
