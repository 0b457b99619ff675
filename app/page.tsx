import { connection } from 'next/server'
import { isDemo, tenantName } from '../lib/next/demo'
import { DoorPage } from './_shared/door-page'
import { Landing } from './_shared/landing'

/** The server's front page: a way in for who tries it out, and nothing but a name anywhere else. */
export default async function FrontPage() {
  await connection()
  if (await isDemo()) return <Landing />
  const name = await tenantName()
  return (
    <DoorPage title={name} name={name} door="ajar">
      <p className="card-lead">Sign in from the app that you want to use. It will bring you here when it is time.</p>
    </DoorPage>
  )
}
