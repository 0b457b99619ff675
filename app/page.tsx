import { connection } from 'next/server'
import { isDemo, tenantName } from '../lib/server/next/demo'
import { DoorPage } from './_shared/door-page'
import { Landing } from './_shared/landing'
import { PLACES } from './_shared/places'

/** The server's front page: the landing page in demo mode, otherwise the tenant's name and what is open to whom. */
export default async function FrontPage() {
  await connection()
  const [demo, name] = await Promise.all([isDemo(), tenantName()])
  if (demo) return <Landing />
  return (
    <DoorPage title={name} name={name} door="ajar">
      <p className="card-lead">Sign in from the app that you want to use. It will bring you here when it is time.</p>
      <ul className="flex flex-col gap-4">
        {PLACES.map(({ href, name, text }) => (
          <li key={href}>
            <a className="link" href={href}>
              {name}
            </a>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </DoorPage>
  )
}
