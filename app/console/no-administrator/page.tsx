import { redirect } from 'next/navigation'
import { nameOfStranger } from '../../../lib/next/console/join'
import { say } from '../../../lib/texts/console'
import { Plain } from '../_parts/states'

export default async function NoAdministrator() {
  const user = await nameOfStranger()
  if (user === null) redirect('/console')
  return (
    <Plain title={say('stranger.title')}>
      <p className="co-lead">{say('stranger.text', { user })}</p>
      <form method="post" action="/console/auth/sign-out">
        <button type="submit" className="button button-primary">
          {say('stranger.other')}
        </button>
      </form>
    </Plain>
  )
}
