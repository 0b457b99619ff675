import Link from 'next/link'
import { say } from '../../../lib/text/console'

/** The way to the form for something new. */
export const NewLink = ({ href, title }: { href: string; title: string }) => (
  <Link className="co-button co-button-primary" href={href} prefetch={false}>
    {title}
  </Link>
)

/** The way to a test of a login with an application, a connection or an organization. */
export const TryLink = ({ of }: { of: Readonly<Record<string, string>> }) => (
  <Link className="co-button" href={`/console/logins/test?${new URLSearchParams(of)}`} prefetch={false}>
    {say('logins.test.open')}
  </Link>
)

/** The way to what is done beside that. */
export const PlainLink = ({ href, title }: { href: string; title: string }) => (
  <Link className="co-button" href={href} prefetch={false}>
    {title}
  </Link>
)

/** The way to another page of the console. */
export const PageLink = ({ href, title }: { href: string; title: string }) => (
  <Link className="co-row-link" href={href} prefetch={false}>
    {title}
  </Link>
)

/** A user by the best known name, with a link to the user's page. */
export const UserLink = ({ id, name }: { id: string; name?: string | undefined }) => (
  <Link className="co-row-link" href={userPath(id)} prefetch={false}>
    {name ?? id}
  </Link>
)

export const userPath = (id: string): string => `/console/users/${encodeURIComponent(id)}`
