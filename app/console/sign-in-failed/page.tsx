import { say } from '../../../lib/text/console'
import { Plain } from '../_parts/states'

export default function SignInFailed() {
  return (
    <Plain title={say('sign_in.failed.title')}>
      <p className="co-lead">{say('sign_in.failed.text')}</p>
      <a className="button button-primary" href="/console">
        {say('sign_in.again')}
      </a>
    </Plain>
  )
}
