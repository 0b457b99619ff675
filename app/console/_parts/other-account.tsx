import { say } from '../../../lib/text/console'

/** Signs out, for a person who is signed in with another account than is wanted. */
export function OtherAccount() {
  return (
    <form method="post" action="/console/auth/sign-out">
      <button type="submit" className="button button-primary">
        {say('stranger.other')}
      </button>
    </form>
  )
}
