import { redirect } from 'next/navigation'
import { nameOfStranger } from '../../../lib/server/next/console/join'
import { say } from '../../../lib/text/console'
import { OtherAccount } from '../_parts/other-account'
import { Plain } from '../_parts/states'

export default async function NoAdministrator() {
  const user = await nameOfStranger()
  if (user === null) redirect('/console')
  return (
    <Plain title={say('stranger.title')}>
      <p className="co-lead">{say('stranger.text', { user })}</p>
      <OtherAccount />
    </Plain>
  )
}
