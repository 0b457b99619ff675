import { say } from '../../../lib/text/console'
import { Plain } from '../_parts/states'

export default function NoOwner() {
  return (
    <Plain title={say('no_owner.title')}>
      <p className="co-lead">{say('no_owner.text')}</p>
      <p>
        <code>npm run admin -- invite --role owner</code>
      </p>
      <a className="button button-primary" href="/console">
        {say('sign_in.again')}
      </a>
    </Plain>
  )
}
