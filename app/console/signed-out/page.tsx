import { say } from '../../../lib/text/console'
import { Plain } from '../_parts/states'

export default function SignedOut() {
  return (
    <Plain title={say('sign_in.out.title')}>
      <p className="co-lead">{say('sign_in.out.text')}</p>
      <a className="button button-primary" href="/console">
        {say('sign_in.again')}
      </a>
    </Plain>
  )
}
